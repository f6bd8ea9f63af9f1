/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that stand in for dlopen(), dlmopen() and dlsym(): they isolate an object that is loaded before any of its code but
 * constructors runs. */
#include <limits.h>
#include <string.h>

#include "isolate/adapter_parts.h"
#include "isolate/dlopen_redirect.h"
#include "isolate/dlopen_search.h"
#include "isolate/host_copies.h"
#include "isolate/host_names.h"
#include "isolate/isolate.h"
#include "isolate/natives.h"
#include "isolate/slots.h"
#include "process/linked.h"
#include "process/loader.h"

/* The dynamic linker knows its caller by the return address. A hook that ends by a jump leaves that of its own caller, whatever
 * flags the adapter is compiled with (tests/processes/loading_jumps.bats). */
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

/* Calls the function of a library that took the slot, or the dynamic linker's. The former may call dlopen() by a slot that leads
 * back to the hook. */
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

/* Opens and isolates the object that the caller will get. Slots that the dynamic linker fills at load (RTLD_NOW) are rebound.
 * The dynamic linker would look for some names in other folders, as the adapter calls it: these files are opened by their path,
 * and `open_again` is returned. The caller then gets a second reference, and the thread's next call releases the first. */
__attribute__((noinline)) static void *open_for(const void *caller, const char *file, int mode)
{
    char path[PATH_MAX], copy[PATH_MAX];
    release_opened_ahead();
    const char *found = search_for(caller, file, path);
    struct load_span span = load_span_begin();
    const char *for_host = host_copies_open(found, copy);
    if (for_host != found) {
        void *opened = loader.dlopen(for_host, mode);
        if (opened)
            isolate_opened(opened, &span);
        return opened;
    }
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

/* Leaves other namespaces alone: what is loaded there has another MPI, in the same namespace. */
ENDS_BY_JUMP static void *host_dlmopen(Lmid_t space, const char *file, int mode)
{
    void *handle = space == LM_ID_BASE ? open_for(__builtin_return_address(0), file, mode) : &open_again;
    if (handle != &open_again)
        return handle;
    JUMP_TO loader.dlmopen(space, file, mode);
}

/* Returns whether dlsym() with this handle looks in scopes that depend on who calls it. */
static int depends_on_caller(const void *handle)
{
    return handle == RTLD_NEXT || handle == RTLD_DEFAULT;
}

/* Returns the host's procedure of a scope in which the adapter's hides it. */
static void *find_for_host(void *handle, const char *symbol)
{
    void *found = loader.dlsym(handle, symbol);
    void *of_host = found && is_adapter(found) && is_mpi(symbol) ? slots_host_procedure(symbol) : 0;
    return of_host ? of_host : host_copies_exist ? host_copies_symbol(symbol, found) : found;
}

ENDS_BY_JUMP static void *host_dlsym(void *handle, const char *symbol)
{
    if (!depends_on_caller(handle)) {
        load_span_program_returned();
        isolate_used(handle);
        return find_for_host(handle, symbol);
    }
    void *of_host = is_mpi(symbol) ? slots_host_procedure(symbol) : 0;
    if (of_host)
        return of_host;
    if (host_copies_exist && host_copies_define(symbol))
        return host_copies_symbol(symbol, 0);
    load_span_program_returned();
    isolate_used(0);
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

/* Returns whether a handle from dlopen() is the program's own. */
static int is_program(void *handle)
{
    const struct link_map *map = linked_map(handle);
    return map && !*map->l_name;
}

/* Returns whether the program would find a symbol of the host's in the global scope, where some hosts are for their plugins. Programs
 * tell MPIs apart by the names that are there. The host's own handle shows them all, and what somebody preloads is seen as natively. */
__attribute__((noinline)) static int is_hidden(void *handle, const char *symbol)
{
    /* Open MPI's library for C has predefined callbacks of Fortran's. An adapter's library for Fortran is bound to them if it is loaded
     * later, so the program has to find the same. */
    int is_fortran_callback = strncmp(symbol, "mpi_", 4) == 0 && strstr(symbol, "_fn");
    if (is_fortran_callback || (!depends_on_caller(handle) && !is_program(handle)))
        return 0;
    return host_names_hide(loader.dlsym(RTLD_DEFAULT, symbol));
}

ENDS_BY_JUMP static void *program_dlsym(void *handle, const char *symbol)
{
    load_span_program_returned();
    isolate_arrivals();
    if (is_hidden(handle, symbol))
        return adapter_procedure(symbol); /* null, and dlerror() says so, if the adapter has no such symbol */
    JUMP_TO loader.dlsym(handle, symbol);
}

/* Returns the function that a native gets for one of MPI's names: the host's, which the adapter's may hide, or the adapter's for natives.
 * Returns null if the handle leads to no procedure of the host's. */
__attribute__((noinline)) static void *find_for_native(void *handle, const char *symbol)
{
    void *of_host = is_mpi(symbol) ? slots_host_procedure(symbol) : 0;
    if (!of_host || (!depends_on_caller(handle) && loader.dlsym(handle, symbol) != of_host))
        return 0;
    void *ours = natives_procedure(symbol, "");
    return ours ? ours : of_host;
}

ENDS_BY_JUMP static void *native_dlsym(void *handle, const char *symbol)
{
    load_span_program_returned();
    isolate_arrivals();
    void *found = find_for_native(handle, symbol);
    if (found)
        return found;
    JUMP_TO loader.dlsym(handle, symbol);
}

const struct hooks native_hooks = { (void *)program_dlopen, (void *)program_dlmopen, (void *)native_dlsym };

const struct hooks program_hooks = { (void *)program_dlopen, (void *)program_dlmopen, (void *)program_dlsym };
