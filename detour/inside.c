/* SPDX-License-Identifier: BSD-3-Clause */
#include "inside.h"

#include <stdio.h>
#include <string.h>

#include "detour.h"

/* How a name begins that programs have if the implementation inside has an ABI of which there are pairs. */
struct needed {
    const char *called, *name;
};

#include "inside_table.h"

enum { IMPLEMENTATIONS = sizeof implementations / sizeof *implementations, NEEDED = sizeof needed / sizeof *needed };

/* Findings while the symbols are read. */
struct finding {
    struct inside inside;
    bool has[NEEDED];
};

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static bool note_symbol(void *context, const Elf64_Sym *symbol, const char *name)
{
    struct finding *finding = context;
    int type = ELF64_ST_TYPE(symbol->st_info);
    if (!*name || symbol->st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT))
        return true;
    finding->inside.procedures += begins(name, "PMPI_");
    finding->inside.has_fortran |= begins(name, "mpi_") || begins(name, "pmpi_");
    for (size_t i = 0; i < IMPLEMENTATIONS; i++)
        if (type == STT_FUNC && strcmp(name, implementations[i].start) == 0)
            finding->inside.mpi = &implementations[i];
    for (size_t i = 0; i < NEEDED; i++)
        finding->has[i] |= begins(name, needed[i].name);
    return true;
}

/* A release or build of another ABI has another status, or other numbers. */
static void check_abi(const struct program *program, const struct finding *finding)
{
    const char *called = finding->inside.mpi->called;
    for (size_t i = 0; i < NEEDED; i++)
        if (strcmp(needed[i].called, called) == 0 && !finding->has[i])
            give_up("%s has a release or build of %s linked in whose ABI has no pair, as it has no %s; link it with another one",
                    program->path, called, needed[i].name);
}

/* Without the names of its procedures, an MPI that is inside shows by its messages alone. */
static void refuse_nameless(const struct program *program)
{
    for (size_t i = 0; i < IMPLEMENTATIONS; i++)
        if (program_contains(program, implementations[i].text))
            give_up("%s has %s linked in, but not the names of its procedures, so that they cannot be replaced; "
                    "link it again without -s and -flto, and do not strip it",
                    program->path, implementations[i].called);
}

struct inside inside_find(struct program *program)
{
    struct finding finding = { .has = { false } };
    if (program->is_readable && elf_each_linked_symbol(&program->file, note_symbol, &finding) == ELF_DAMAGED)
        give_up("the symbols of %s cannot be read, as %s; link it again", program->path, program->file.problem);
    if (!finding.inside.procedures)
        refuse_nameless(program);
    else if (!finding.inside.mpi)
        give_up("%s has an MPI linked in that is none of those that can be replaced; link it with the shared library of its MPI", program->path);
    else
        check_abi(program, &finding);
    return finding.inside;
}
