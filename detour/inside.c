/* SPDX-License-Identifier: BSD-3-Clause */
#include "inside.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "detour.h"

/* How a name begins that programs have if the implementation inside has an ABI of which there are pairs. */
struct needed {
    const char *called, *name;
};

#include "inside_table.h"

enum {
    IMPLEMENTATIONS = sizeof implementations / sizeof *implementations,
    NEEDED = sizeof needed / sizeof *needed,
    MPI_LIBRARIES = sizeof mpi_libraries / sizeof *mpi_libraries,
};

/* Whether a file's name is that of an MPI's own library, as programs need it. Wheels put -, and eight digits of a checksum, ahead of .so. */
static bool is_mpi_library(const char *path)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path, *dash = strrchr(file, '-');
    int length = (int)strlen(file);
    char name[NAME_MAX + 1];
    if (dash && strspn(dash + 1, "0123456789abcdef") == 8 && strncmp(dash + 9, ".so", 3) == 0)
        length = (int)(dash - file);
    snprintf(name, sizeof name, "%.*s%s", length, file, file[length] ? dash + 9 : "");
    size_t i = 0;
    while (i < MPI_LIBRARIES && fnmatch(mpi_libraries[i], name, 0) != 0)
        i++;
    return i < MPI_LIBRARIES;
}

bool inside_is_in_system_folder(const char *path)
{
    static const char *const files[] = { "/lib/*", "/lib64/*", "/lib/*-linux-gnu/*", "/usr/lib/*", "/usr/lib64/*", "/usr/lib/*-linux-gnu/*" };
    size_t i = 0;
    while (i < sizeof files / sizeof *files && fnmatch(files[i], path, FNM_PATHNAME) != 0)
        i++;
    return i < sizeof files / sizeof *files;
}

/* Findings while the symbols are read. */
struct finding {
    struct program *program;
    struct inside inside;
    bool has[NEEDED];
};

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* Notes by a function's name which interfaces are there. The MPIs have functions in C that begin as those for Fortran do. */
static void note_interface(struct finding *finding, const char *name)
{
    unsigned *interfaces = &finding->inside.interfaces;
    if (begins(name, "PMPI_"))
        *interfaces |= 1u << INSIDE_C;
    else if ((begins(name, "mpi_") || begins(name, "pmpi_")) && name[strlen(name) - 1] == '_')
        *interfaces |= 1u << (strstr(name, "_f08") ? INSIDE_F08 : INSIDE_MPIF);
    else if (begins(name, "__mpi_f08"))
        *interfaces |= 1u << INSIDE_F08;
    else if (begins(name, "_ZN3MPI"))
        *interfaces |= 1u << INSIDE_CXX;
}

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    const char *at = list;
    while ((at = strstr(at, word)) && !((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0)))
        at++;
    return at;
}

/* Notes the release, which is a string, and the state. */
static void note_data(struct finding *finding, const Elf64_Sym *symbol, const char *name)
{
    for (size_t i = 0; i < IMPLEMENTATIONS; i++) {
        const char *text = has_word(implementations[i].release, name) ? elf_symbol_text(&finding->program->file, symbol) : NULL;
        finding->inside.release = text ? text : finding->inside.release;
        if (symbol->st_size && has_word(implementations[i].state, name))
            finding->inside.state = symbol->st_value;
    }
}

static bool note_symbol(void *context, const Elf64_Sym *symbol, const char *name)
{
    struct finding *finding = context;
    int type = ELF64_ST_TYPE(symbol->st_info);
    if (!*name || symbol->st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_OBJECT))
        return true;
    finding->inside.procedures += begins(name, "PMPI_");
    if (type == STT_FUNC)
        note_interface(finding, name);
    if (type == STT_OBJECT)
        note_data(finding, symbol, name);
    for (size_t i = 0; i < IMPLEMENTATIONS; i++)
        if (type == STT_FUNC && strcmp(name, implementations[i].start) == 0)
            finding->inside.mpi = &implementations[i];
    for (size_t i = 0; i < NEEDED; i++)
        finding->has[i] |= begins(name, needed[i].name);
    return true;
}

/* Whether a release is older than another one: 3.0.4 than 3.1. */
static bool is_older(const char *release, const char *since)
{
    unsigned long major, minor, since_major, since_minor;
    if (sscanf(release, "%lu.%lu", &major, &minor) != 2 || sscanf(since, "%lu.%lu", &since_major, &since_minor) != 2)
        return false;
    return major < since_major || (major == since_major && minor < since_minor);
}

/* A release or build of another ABI has another status, or other numbers. */
static void check_abi(const struct program *program, const struct finding *finding)
{
    const char *called = finding->inside.mpi->called, *release = finding->inside.release;
    if (is_older(release, finding->inside.mpi->since))
        refuse_program("%s has %s %s linked in, whose ABI has no pair; link it with %s or later", program->path, called, release,
                       finding->inside.mpi->since);
    for (size_t i = 0; i < NEEDED && !program->is_stripped; i++)
        if (strcmp(needed[i].called, called) == 0 && !finding->has[i])
            refuse_program("%s has a release or build of %s linked in whose ABI has no pair, as it has no %s; link it with another one",
                    program->path, called, needed[i].name);
}

/* Without the names of its procedures, an MPI that is inside shows by its messages alone. Returns it, or null. */
static const struct implementation *find_nameless(struct program *program)
{
    for (size_t i = 0; i < IMPLEMENTATIONS; i++)
        if (program_contains(program, implementations[i].text))
            return &implementations[i];
    return NULL;
}

bool inside_look_for(struct program *program, size_t *number)
{
    for (; program_find_library(program, *number); ++*number)
        if (!inside_is_in_system_folder(program->path) && !is_mpi_library(program->path) && find_nameless(program))
            return true;
    return false;
}

static void read_symbols(struct program *program, struct finding *finding)
{
    if (program->is_readable && program_each_symbol(program, note_symbol, finding) == ELF_DAMAGED)
        refuse_program("the symbols of %s cannot be read, as %s; link it again", program->path,
                       program->has_debug ? program->debug.problem : program->file.problem);
}

/* A stripped file that exports its release exports all procedures: a linker that was told to hide some names hides that one, too. The function
 * that begins the work is never exported, so nothing but a text tells which MPI it is. */
static void read_exports(struct program *program, struct finding *finding, const struct implementation *mpi)
{
    struct finding exported = { .program = program, .inside = { .release = "" } };
    program->is_stripped = true;
    read_symbols(program, &exported);
    exported.inside.mpi = mpi;
    program->is_stripped = exported.inside.procedures && *exported.inside.release;
    if (program->is_stripped)
        *finding = exported;
}

struct inside inside_named(struct program *program)
{
    struct finding finding = { .program = program, .inside = { .release = "" } };
    bool is_read = program->is_readable && program_each_symbol(program, note_symbol, &finding) != ELF_DAMAGED;
    return is_read ? finding.inside : (struct inside){ .release = "" };
}

struct inside inside_find(struct program *program)
{
    struct finding finding = { .program = program, .inside = { .release = "" } };
    read_symbols(program, &finding);
    const struct implementation *nameless = finding.inside.procedures ? NULL : find_nameless(program);
    if (nameless && program_open_debug(program))
        read_symbols(program, &finding);
    if (nameless && !finding.inside.procedures)
        read_exports(program, &finding, nameless);
    if (nameless && !finding.inside.procedures)
        refuse_program("%s has %s linked in, but not the names of its procedures, so that they cannot be replaced; "
                       "link it again without -s and -flto, and do not strip it",
                       program->path, nameless->called);
    if (finding.inside.procedures && !finding.inside.mpi)
        refuse_program("%s has an MPI linked in that is none of those that can be replaced; link it with the shared library of its MPI", program->path);
    if (finding.inside.mpi)
        check_abi(program, &finding);
    return finding.inside;
}
