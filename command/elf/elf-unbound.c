// SPDX-License-Identifier: BSD-3-Clause
#include "elf-unbound.h"

#include <stdlib.h>
#include <string.h>

#include "allocate.h"
#include "elf/file.h"

struct symbols {
    const char *starts;
    bool defined;           // whether those are wanted that are defined, or those that are needed
    bool copied;            // or those of which a program has a copy, which a library defines
    char **names;
    size_t count;
};

// Whether a name begins with one of the words.
static bool begins_so(const char *name, const char *starts)
{
    while (*(starts += strspn(starts, " "))) {
        size_t length = strcspn(starts, " ");
        if (strncmp(name, starts, length) == 0)
            return true;
        starts += length;
    }
    return false;
}

static bool note_symbol(void *context, const Elf64_Sym *symbol, const char *name)
{
    struct symbols *symbols = context;
    bool is_defined = symbol->st_shndx != SHN_UNDEF;
    if (is_defined == symbols->defined && (is_defined || ELF64_ST_BIND(symbol->st_info) != STB_WEAK) &&
        begins_so(name, symbols->starts)) {
        symbols->names = grown(symbols->names, symbols->count, sizeof *symbols->names);
        symbols->names[symbols->count++] = copy(name);
    }
    return true;
}

static void read_symbols(struct symbols *symbols, const char *path)
{
    struct elf_file f;
    if (elf_open(&f, path) == ELF_YES)
        (symbols->copied ? elf_each_copied : elf_each_symbol)(&f, note_symbol, symbols);
    elf_close(&f);
}

static int compare(const void *one, const void *other) { return strcmp(*(char *const *)one, *(char *const *)other); }

static void sort_symbols(const struct symbols *symbols)
{
    if (symbols->count)
        qsort(symbols->names, symbols->count, sizeof *symbols->names, compare);
}

static void free_symbols(struct symbols *symbols)
{
    for (size_t i = 0; i < symbols->count; i++)
        free(symbols->names[i]);
    free(symbols->names);
}

static void check_symbols(const struct symbols *defined, const char *by, bool copied, void visit(const char *, const char *))
{
    struct symbols needed = { .starts = defined->starts, .defined = copied, .copied = copied };
    read_symbols(&needed, by);
    for (size_t i = 0; i < needed.count; i++)
        if (!defined->count || !bsearch(needed.names + i, defined->names, defined->count, sizeof *defined->names, compare))
            visit(by, needed.names[i]);
    free_symbols(&needed);
}

void each_unbound(const struct closure *closure, const char *program, const char *starts, void visit(const char *, const char *))
{
    struct symbols defined = { .starts = starts, .defined = true };
    for (size_t i = 0; i < closure->count; i++)
        if (closure->libraries[i].path)
            read_symbols(&defined, closure->libraries[i].path);
    sort_symbols(&defined);
    check_symbols(&defined, program, true, visit);
    read_symbols(&defined, program);
    sort_symbols(&defined);
    check_symbols(&defined, program, false, visit);
    for (size_t i = 0; i < closure->count; i++)
        if (closure->libraries[i].path)
            check_symbols(&defined, closure->libraries[i].path, false, visit);
    free_symbols(&defined);
}
