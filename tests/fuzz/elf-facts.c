/* SPDX-License-Identifier: BSD-3-Clause */
/* elf-facts, all that it can be asked: the file is the program, a library that it needs, and one that is preloaded. */
#include "fuzz.h"

#define main elf_facts_main
#include "../../command/elf/elf-facts.c"

static int ask(int count, const char *first, const char *second, const char *third, const char *fourth, const char *fifth)
{
    const char *words[] = { "elf-facts", first, second, third, fourth, fifth, NULL };
    return elf_facts_main(count, (char **)words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int is_ready;
    const char *path = fuzz_file(0, data, size), *folder = fuzz_folder();
    if (!is_ready) {
        fuzz_link("libfuzz1.so", path);
        fuzz_link("libfuzz2.so", path);
        is_ready = freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr);
    }
    ask(2, path, NULL, NULL, NULL, NULL);
    ask(3, "--versions", path, NULL, NULL, NULL);
    ask(3, "--defines", path, NULL, NULL, NULL);
    ask(4, "--imports", "MPI_Init", path, NULL, NULL);
    ask(5, "--closure", folder, "libfuzz2.so", path, NULL);
    ask(5, "--unmet", folder, "libfuzz2.so", path, NULL);
    ask(4, "--text", "MPII_Version_string", path, NULL, NULL);
    ask(4, "--contains", "MPICH", path, NULL, NULL);
    ask(4, "--release", "20", path, NULL, NULL);
    ask(6, "--unbound", folder, "libfuzz2.so", "MPI p", path);
    return 0;
}
