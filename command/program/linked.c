/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that have their MPI linked in. No library can take its place; detour.so can, which is preloaded, unless it refuses the program. */
#include <string.h>

#include "../elf/ask.h"
#include "arena.h"
#include "program.h"
#include "texts.h"

/* The implementation whose library for C is in a file, or null. */
static const char *implementation_in(const struct job *job, const char *file)
{
    const struct list *names = &job->site->implementations.names;
    for (size_t i = 0; i < names->count; i++) {
        const char *text = of_implementation(job->site, names->words[i], "inside");
        if (*text && file_contains(file, text))
            return names->words[i];
    }
    return 0;
}

int has_mpi_linked_in(const struct job *job, const char *file)
{
    return implementation_in(job, file) != 0;
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
