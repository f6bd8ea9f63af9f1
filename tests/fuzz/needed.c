/* SPDX-License-Identifier: BSD-3-Clause */
/* The adapter's reader of what a file needs and exports, and of its versions. */
#include "fuzz.h"

#include <string.h>

#include "elf/file.h"
#include "process/needed.h"

static int measure(const char *name, const void *context)
{
    (void)context;
    return (int)strlen(name);
}

static void measure_fact(enum library_fact fact, const char *text, const char *of, void *sum)
{
    *(volatile size_t *)sum += strlen(text) + (fact == FACT_VERSION_NEEDED ? strlen(of) : 0);
}

static void measure_export(const char *name, void *sum)
{
    *(volatile size_t *)sum += strlen(name);
}

/* The reader of symbols that strip removes, which detour.so has. */
static bool measure_linked(void *sum, const Elf64_Sym *symbol, const char *name)
{
    *(volatile size_t *)sum += strlen(name) + symbol->st_size;
    return true;
}

static void measure_symbols(const char *path, size_t *sum)
{
    struct elf_file file;
    if (elf_open_mapped(&file, path) == ELF_YES)
        (void)elf_each_linked_symbol(&file, measure_linked, sum);
    elf_close(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[64];
    size_t sum = 0;
    const char *file = fuzz_file(0, data, size);
    (void)needed_each(file, measure, NULL);
    (void)needed_text(file, "lazy_text", text, sizeof text);
    (void)library_facts(file, measure_fact, &sum);
    exported_each(file, measure_export, &sum);
    measure_symbols(file, &sum);
    return 0;
}
