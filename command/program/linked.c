/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that have their MPI linked in, into themselves or into a library of theirs. No library can take its place; detour.so can, which is
 * preloaded, unless it refuses the program. */
#include <fnmatch.h>
#include <string.h>

#include "../elf/ask.h"
#include "arena.h"
#include "elf/file.h"
#include "file.h"
#include "program.h"
#include "texts.h"

/* The implementation whose library for C is in a file, or null. A program may unpack itself, so it is looked through to its end. */
static const char *implementation_in(const struct job *job, const char *file)
{
    int is_library = is_same(facts_of(file)->linkage, "library");
    const struct list *names = &job->site->implementations.names;
    for (size_t i = 0; i < names->count; i++) {
        const char *text = of_implementation(job->site, names->words[i], "inside");
        if (*text && (is_library ? library_contains(file, text) : file_contains(file, text)))
            return names->words[i];
    }
    return 0;
}

/* Whether a file imports from a library what has nothing of MPI in its name. */
static int imports_more(const char *file, const char *library)
{
    const struct list *imported = &symbols_of(file)->imported;
    for (size_t i = 0; i < imported->count; i++)
        if (!strcasestr(imported->words[i], "mpi") && defines(library, imported->words[i]))
            return 1;
    return 0;
}

/* Whether a library that the program needs is an MPI's own: by a known name or, of one like it, as it serves for nothing else. */
static int is_mpi_library(const struct job *job, const char *subject, const char *name, const char *file)
{
    const struct closure_found *found = needs_of(job, subject);
    if (has_word(known_sonames(job->site), name) || has_stem(job->site, name) || abi_of_soname(job->site, name))
        return 1;
    if (fnmatch("lib*mpi*.so*", name, 0) != 0 || !defines(file, "PMPI_Init") || imports_more(subject, file))
        return 0;
    for (size_t i = 0; i < found->paths.count; i++)
        if (*found->paths.words[i] && !is_same(found->paths.words[i], file) && !is_in_system_folder(found->paths.words[i]) &&
            imports_more(found->paths.words[i], file))
            return 0;
    return 1;
}

const char *library_with_linked_mpi(const struct job *job, const char *file)
{
    const struct closure_found *found = needs_of(job, file);
    for (size_t i = 0; found->status == ELF_YES && i < found->names.count; i++) {
        const char *path = found->paths.words[i];
        if (*path && !is_in_system_folder(path) && implementation_in(job, path) && !is_mpi_library(job, file, found->names.words[i], path))
            return path;
    }
    return 0;
}

const char *file_with_linked_mpi(const struct job *job, const char *file)
{
    return implementation_in(job, file) ? file : library_with_linked_mpi(job, file);
}

/* The first family that an implementation has. */
static const char *family_with(const struct site *site, const char *implementation)
{
    for (size_t i = 0; i < site->families.names.count; i++)
        if (has_word(of_family(site, site->families.names.words[i], "implementations"), implementation))
            return site->families.names.words[i];
    return 0;
}

const char *abi_linked_in(const struct job *job, const char *file)
{
    const char *implementation = implementation_in(job, file);
    return implementation ? family_with(job->site, implementation) : 0;
}

/* The last "; " is ahead of what to do. */
static struct problem *problem_of_linked(const struct linked_mpi *linked)
{
    const char *text = linked->problem, *advice = text;
    for (const char *at = text; (at = strstr(at, "; ")); at++)
        advice = at;
    return *text ? problem_of("%.*s; %s", (int)(advice - text), text, advice + 2) : 0;
}

/* A program that detour.so refuses can be started by its MPI's own launcher all the same. */
void take_linked_mpi(const struct job *job, struct program *program, const char *file)
{
    const char *implementation = implementation_in(job, file);
    const char *abi = implementation ? family_with(job->site, implementation) : 0;
    if (!abi)
        return;
    program->linked = linked_mpi_of(file, "");
    program->linked_file = file;
    program->linked_implementation = implementation;
    program->linked_name = mpi_with_release(job->site, file, implementation, program->linked->release);
    program->abi = abi;
    struct problem *problem = problem_of_linked(program->linked);
    if (!problem && !program->linked->is_replaceable)
        problem = problem_of("%s has %s linked in statically, so its MPI cannot be replaced; link it with the shared library of its MPI", file,
                             program->linked_name);
    program->refusal = program->refusal || !problem ? program->refusal : problem->text;
}

struct problem *check_linked_mpi(const struct program *program, const char *pair)
{
    return problem_of_linked(linked_mpi_of(program->linked_file, pair));
}
