/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/needed.h"

#include <string.h>

#include "elf/file.h"

/* Opens a library that has a dynamic section and is for this machine. The caller closes it in any case. */
static int open_library(struct elf_file *file, const char *path)
{
    return elf_open_mapped(file, path) == ELF_YES && file->dynamic.present && elf_is_own(file);
}

/* The function that is told of a file's facts. */
struct telling {
    void (*visit)(enum library_fact fact, const char *text, const char *of, void *context);
    void *context;
};

static void tell_text(struct elf_file *file, const Elf64_Dyn *entry, enum library_fact fact, const struct telling *telling)
{
    const char *text = elf_entry_text(file, entry);
    if (*text)
        telling->visit(fact, text, 0, telling->context);
}

static void tell_entry(struct elf_file *file, const Elf64_Dyn *entry, void *telling)
{
    switch (entry->d_tag) {
    case DT_NEEDED: tell_text(file, entry, FACT_NEEDED, telling); break;
    case DT_RPATH: tell_text(file, entry, FACT_RPATH, telling); break;
    case DT_RUNPATH: tell_text(file, entry, FACT_RUNPATH, telling); break;
    case DT_FLAGS_1:
        if (entry->d_un.d_val & DF_1_NODEFLIB)
            ((const struct telling *)telling)->visit(FACT_NO_DEFAULT, "", 0, ((const struct telling *)telling)->context);
        break;
    default: break;
    }
}

static void tell_version(void *context, const char *library, const char *name)
{
    struct telling *telling = context;
    telling->visit(library ? FACT_VERSION_NEEDED : FACT_VERSION_DEFINED, name, library, telling->context);
}

int library_facts(const char *path, void (*visit)(enum library_fact fact, const char *text, const char *of, void *context),
                  void *context)
{
    struct telling telling = { visit, context };
    struct elf_file file;
    int is_read = open_library(&file, path);
    if (is_read) {
        elf_each_entry(&file, tell_entry, &telling);
        elf_each_needed_version(&file, tell_version, &telling);
        elf_each_defined_version(&file, tell_version, &telling);
    }
    elf_close(&file);
    return is_read;
}

/* A caller that asked for names alone. */
struct asking {
    int (*visit)(const char *name, const void *context);
    const void *context;
    int sum;
};

static void add_needed(enum library_fact fact, const char *text, const char *of, void *context)
{
    struct asking *asking = context;
    (void)of;
    if (fact == FACT_NEEDED)
        asking->sum += asking->visit(text, asking->context);
}

int needed_each(const char *path, int (*visit)(const char *name, const void *context), const void *context)
{
    struct asking asking = { visit, context, 0 };
    struct telling telling = { add_needed, &asking };
    struct elf_file file;
    if (open_library(&file, path))
        elf_each_entry(&file, tell_entry, &telling);
    elf_close(&file);
    return asking.sum;
}

/* The text that a library exports by a name. */
struct wanted {
    struct elf_file file;
    const char *name;
    char *text;
    size_t room, length;
};

static bool copy_wanted(void *context, const Elf64_Sym *symbol, const char *name)
{
    struct wanted *wanted = context;
    if (symbol->st_shndx == SHN_UNDEF || strcmp(name, wanted->name) != 0)
        return true;
    const char *found = elf_symbol_text(&wanted->file, symbol);
    size_t length = found ? strlen(found) : wanted->room;
    if (length < wanted->room) {
        memcpy(wanted->text, found, length + 1);
        wanted->length = length;
    }
    return false;
}

size_t needed_text(const char *path, const char *symbol, char *text, size_t room)
{
    struct wanted wanted = { .name = symbol, .text = text, .room = room };
    if (open_library(&wanted.file, path))
        elf_each_symbol(&wanted.file, copy_wanted, &wanted);
    elf_close(&wanted.file);
    return wanted.length;
}

/* The function that is told of exports. */
struct exporting {
    void (*visit)(const char *name, void *context);
    void *context;
};

static bool tell_export(void *context, const Elf64_Sym *symbol, const char *name)
{
    struct exporting *exporting = context;
    if (symbol->st_shndx != SHN_UNDEF)
        exporting->visit(name, exporting->context);
    return true;
}

void exported_each(const char *path, void (*visit)(const char *name, void *context), void *context)
{
    struct exporting exporting = { visit, context };
    struct elf_file file;
    if (open_library(&file, path))
        elf_each_symbol(&file, tell_export, &exporting);
    elf_close(&file);
}
