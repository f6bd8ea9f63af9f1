/* SPDX-License-Identifier: BSD-3-Clause */
/* What the slots of the dynamic linker's functions lead to: objects that are loaded are isolated before
 * any code of theirs but constructors runs. */
#define _GNU_SOURCE
#include <limits.h>

#include "isolate/adapter_parts.h"
#include "isolate/dlopen_redirect.h"
#include "isolate/dlopen_search.h"
#include "isolate/isolate.h"
#include "isolate/slots.h"
#include "process/loader.h"

/* The dynamic linker takes the last function that called it for the caller. Hooks that end by a jump leave
 * that to their own callers, whatever flags the adapter is compiled with (tests/processes/loading_jumps.bats). */
#if defined __has_attribute && __has_attribute(musttail)
#define JUMP_TO __attribute__((musttail)) return
#else
#define JUMP_TO return
#endif
#ifdef __clang__
#define ENDS_BY_JUMP __attribute__((no_instrument_function, no_sanitize("thread")))
#else
#define ENDS_BY_JUMP                                                                               \
    __attribute__((no_instrument_function, no_sanitize("thread"), optimize("O2", "optimize-sibling-calls", "no-stack-protector")))
#endif

/* ---- for the host's objects ---- */

/* Calls what was in the slot. If somebody took it, that function may in turn call the dynamic linker by a
 * slot that leads back to the hook. */
static void *open_next(const char *file, int mode)
{
    static _Thread_local int is_open;
    void *(*next)(const char *, int) = __atomic_load_n(&taken_dlopen, __ATOMIC_ACQUIRE);
    if (!next || is_open)
        return loader.dlopen(file, mode);
    is_open = 1;
    void *handle = next(file, mode);
    is_open = 0;
    return handle;
}

/* A hook opens a file by its path first, to isolate it. `open_again` then tells it to let the dynamic linker open the file by the
 * caller's own name, and `opened_ahead` is the first reference, which is released later. */
static _Thread_local void *opened_ahead;
static char open_again;

static void release_opened_ahead(void)
{
    void *handle = opened_ahead;
    opened_ahead = 0;
    if (handle)
        loader.dlclose(handle);
}

/* Opens and isolates what the caller will get. Symbols that are bound at load (RTLD_NOW) are bound anew. The dynamic linker
 * would look for some names on behalf of the adapter, and elsewhere: these are opened by a path, and `open_again` is
 * returned. The caller's reference is then the second one; the first is released by the thread's next call. */
__attribute__((noinline)) static void *open_for(const void *caller, const char *file, int mode)
{
    char path[PATH_MAX];
    release_opened_ahead();
    const char *found = search_for(caller, file, path);
    struct load_span span = load_span_begin();
    void *handle = open_next(found, mode);
    if (handle && file)
        isolate_opened(handle, &span);
    if (found == file)
        return handle;
    opened_ahead = handle;
    return &open_again;
}

ENDS_BY_JUMP static void *host_dlopen(const char *file, int mode)
{
    void *handle = open_for(__builtin_return_address(0), file, mode);
    if (handle != &open_again)
        return handle;
    JUMP_TO loader.dlopen(file, mode);
}

/* What is loaded into another namespace has an MPI of its own there. */
ENDS_BY_JUMP static void *host_dlmopen(Lmid_t space, const char *file, int mode)
{
    void *handle = space == LM_ID_BASE ? open_for(__builtin_return_address(0), file, mode) : &open_again;
    if (handle != &open_again)
        return handle;
    JUMP_TO loader.dlmopen(space, file, mode);
}

/* Wherever the adapter comes first in a scope, the host's procedure would be behind it. */
static void *find_for_host(void *handle, const char *symbol)
{
    void *found = loader.dlsym(handle, symbol), *own = found && is_adapter(found) && is_mpi(symbol) ? slots_host_procedure(symbol) : 0;
    return own ? own : found;
}

ENDS_BY_JUMP static void *host_dlsym(void *handle, const char *symbol)
{
    int depends_on_caller = handle == RTLD_NEXT || handle == RTLD_DEFAULT;
    void *own = depends_on_caller && is_mpi(symbol) ? slots_host_procedure(symbol) : 0;
    if (own)
        return own;
    load_span_program_returned();
    isolate_used(depends_on_caller ? 0 : handle);
    if (!depends_on_caller)
        return find_for_host(handle, symbol);
    JUMP_TO loader.dlsym(handle, symbol);
}

const struct hooks host_hooks = { (void *)host_dlopen, (void *)host_dlmopen, (void *)host_dlsym };

/* ---- for the program's objects ---- */

ENDS_BY_JUMP static void *program_dlopen(const char *file, int mode)
{
    isolate_arrivals();
    load_span_program_loads();
    JUMP_TO loader.dlopen(redirect(file), mode);
}

ENDS_BY_JUMP static void *program_dlmopen(Lmid_t space, const char *file, int mode)
{
    isolate_arrivals();
    load_span_program_loads();
    JUMP_TO loader.dlmopen(space, space == LM_ID_BASE ? redirect(file) : file, mode);
}

ENDS_BY_JUMP static void *program_dlsym(void *handle, const char *symbol)
{
    load_span_program_returned();
    isolate_arrivals();
    JUMP_TO loader.dlsym(handle, symbol);
}

const struct hooks program_hooks = { (void *)program_dlopen, (void *)program_dlmopen, (void *)program_dlsym };
