/* SPDX-License-Identifier: BSD-3-Clause */
/* What the slots of the dynamic linker's functions lead to: objects that are loaded are isolated before
 * any code of theirs but constructors runs. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isolate/adapter_parts.h"
#include "isolate/isolate.h"
#include "isolate/slots.h"
#include "process/loader.h"

/* The dynamic linker takes the last function that called it for the caller. Hooks that end by a jump leave
 * that to their own callers. */
#define ENDS_BY_JUMP __attribute__((optimize("O2")))

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

/* Loads a file from the first folder that has it of those where the caller's object looks for its
 * libraries (DT_RUNPATH). */
static void *open_by_path(const void *caller, const char *file, int mode)
{
    Dl_info info;
    struct link_map *map = 0;
    Dl_serinfo size, *folders = 0;
    void *handle = 0;
    char path[PATH_MAX];
    if (!dladdr1(caller, &info, (void **)&map, RTLD_DL_LINKMAP) || dlinfo(map, RTLD_DI_SERINFOSIZE, &size) != 0 ||
        !(folders = malloc(size.dls_size)))
        return 0;
    if (dlinfo(map, RTLD_DI_SERINFOSIZE, folders) != 0 || dlinfo(map, RTLD_DI_SERINFO, folders) != 0)
        folders->dls_cnt = 0;
    for (unsigned i = 0; i < folders->dls_cnt && !handle; i++)
        if (snprintf(path, sizeof path, "%s/%s", folders->dls_serpath[i].dls_name, file) < (int)sizeof path &&
            access(path, R_OK) == 0)
            handle = open_next(path, mode);
    free(folders);
    return handle;
}

/* The dynamic linker takes the adapter for the caller, and does not look where the caller's object would
 * have it look. Symbols that are bound at load (RTLD_NOW) are bound anew. */
static void *open_for(const void *caller, const char *file, int mode)
{
    struct window window = window_open();
    void *handle = open_next(file, mode);
    if (!handle && file && !strchr(file, '/')) {
        handle = open_by_path(caller, file, mode);
        handle = handle ? handle : loader.dlopen(file, mode); /* for dlerror() */
    }
    if (handle && file)
        isolate_opened(handle, &window);
    return handle;
}

static void *host_dlopen(const char *file, int mode)
{
    return open_for(__builtin_return_address(0), file, mode);
}

/* What is loaded into another namespace has an MPI of its own there. */
ENDS_BY_JUMP static void *host_dlmopen(Lmid_t space, const char *file, int mode)
{
    return space == LM_ID_BASE ? open_for(__builtin_return_address(0), file, mode) : loader.dlmopen(space, file, mode);
}

/* Wherever the adapter comes first in a scope, the host's procedure would be behind it. */
static void *find_for_host(void *handle, const char *symbol)
{
    void *found = loader.dlsym(handle, symbol), *own = found && is_adapter(found) && is_mpi(symbol) ? slots_own(symbol) : 0;
    return own ? own : found;
}

ENDS_BY_JUMP static void *host_dlsym(void *handle, const char *symbol)
{
    int depends_on_caller = handle == RTLD_NEXT || handle == RTLD_DEFAULT;
    void *own = depends_on_caller && is_mpi(symbol) ? slots_own(symbol) : 0;
    if (own)
        return own;
    window_program_is_back();
    isolate_used(depends_on_caller ? 0 : handle);
    return depends_on_caller ? loader.dlsym(handle, symbol) : find_for_host(handle, symbol);
}

const struct hooks host_hooks = { (void *)host_dlopen, (void *)host_dlmopen, (void *)host_dlsym };

/* ---- for the program's objects ---- */

ENDS_BY_JUMP static void *program_dlopen(const char *file, int mode)
{
    isolate_arrivals();
    window_program_loads();
    return loader.dlopen(file, mode);
}

ENDS_BY_JUMP static void *program_dlmopen(Lmid_t space, const char *file, int mode)
{
    isolate_arrivals();
    window_program_loads();
    return loader.dlmopen(space, file, mode);
}

ENDS_BY_JUMP static void *program_dlsym(void *handle, const char *symbol)
{
    window_program_is_back();
    isolate_arrivals();
    return loader.dlsym(handle, symbol);
}

const struct hooks program_hooks = { (void *)program_dlopen, (void *)program_dlmopen, (void *)program_dlsym };
