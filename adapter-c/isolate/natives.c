/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/natives.h"

#include "isolate/host_names.h"
#include "isolate/host_tools.h"

int natives_exist, natives_have_bindings;
static void *(*procedure_of)(const char *symbol, int is_binding);
static const char *program_begin, *program_end;

void natives_serve(void *(*procedure)(const char *symbol, int is_binding))
{
    procedure_of = procedure;
}

/* Libraries of the host's MPI alone make no native: tools and programs bring them, too. */
void natives_note(const struct plan *plan)
{
    int users = 0, bindings = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct task *task = &plan->tasks[i];
        if (task->owner != ARRIVED || !task->calls_mpi || tools_have(task->path))
            continue;
        if (host_names_have(linked_file(task->path)))
            bindings++;
        else
            users++;
    }
    if (bindings > 0)
        __atomic_store_n(&natives_have_bindings, 1, __ATOMIC_RELEASE);
    if (users > 0)
        __atomic_store_n(&natives_exist, 1, __ATOMIC_RELEASE);
}

int natives_include(const char *path)
{
    return natives_exist && !tools_have(path);
}

void *natives_procedure(const char *symbol, const char *path)
{
    return procedure_of ? procedure_of(symbol, host_names_have(linked_file(path))) : 0;
}

int natives_call(const char *symbol, const void *address)
{
    return natives_exist && procedure_of && (address == procedure_of(symbol, 0) || address == procedure_of(symbol, 1));
}

void natives_note_program(const void *begin, const void *end)
{
    program_begin = begin;
    program_end = end;
}

int natives_keep(const void *address)
{
    return (const char *)address >= program_begin && (const char *)address < program_end;
}
