/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/natives.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>

#include "convert/say.h"
#include "isolate/host_names.h"
#include "isolate/host_tools.h"

int natives_exist, natives_have_bindings, natives_are_below, natives_anywhere;
static void *(*procedure_of)(const char *symbol, int is_binding);
static void (*natives_met)(void);

/* Objects of the host's family. Entries are complete before they are in the list, and are never freed. */
struct native {
    const struct native *next;
    const char *begin, *end;
};
static const struct native *natives;

void natives_serve(void *(*procedure)(const char *symbol, int is_binding), void (*met)(void))
{
    procedure_of = procedure;
    natives_met = met;
}

/* Libraries of the host's MPI alone make no native: tools and programs bring them, too. */
void natives_note(const struct plan *plan)
{
    int users = 0, bindings = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct task *task = &plan->tasks[i];
        if (task->owner != ARRIVED || !task->calls_mpi || tools_have(task->path))
            continue;
        if (!natives_have(task->base))
            natives_note_object(task->base, task->end);
        if (host_names_have(linked_file(task->path)))
            bindings++;
        else
            users++;
    }
    if (bindings > 0)
        __atomic_store_n(&natives_have_bindings, 1, __ATOMIC_RELEASE);
    if (users > 0 && !__atomic_exchange_n(&natives_exist, 1, __ATOMIC_ACQ_REL)) {
        natives_anywhere = 1;
        natives_met();
    }
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

void natives_note_object(const void *begin, const void *end)
{
    struct native *native = malloc(sizeof *native);
    if (!native)
        give_up_memory("while isolating the host's MPI");
    *native = (struct native){ __atomic_load_n(&natives, __ATOMIC_RELAXED), begin, end };
    while (!__atomic_compare_exchange_n(&natives, &native->next, native, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        ;
}

int natives_have(const void *address)
{
    const struct native *native = __atomic_load_n(&natives, __ATOMIC_ACQUIRE);
    while (native && ((const char *)address < native->begin || (const char *)address >= native->end))
        native = native->next;
    return native != 0;
}

int natives_keep(const void *address)
{
    Dl_info info;
    const ElfW(Sym) *symbol = 0;
    return natives_have(address) && dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
           ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT;
}
