/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "isolate.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "gotswap.h"

/* The host's objects that were looked at, by load address; after how many unloadings by the process,
 * for another object may take an unloaded one's address. What the host's library itself needs is
 * never unloaded. */
struct seen {
    const void *base;
    unsigned long long unloaded;
};
#define NEVER_UNLOADED (~0ull)
static struct seen *seen;
static size_t seen_count, seen_room;
static unsigned long long unloaded; /* so far, or NEVER_UNLOADED */
static int replaced_slots, replaced_objects;
static void *host_handle;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The adapter's own addresses. */
static struct { uintptr_t begin, end; } adapter;

static int count_unloaded(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    *(unsigned long long *)context = info->dlpi_subs;
    return 1;
}

static struct seen *find_seen(const void *base)
{
    for (size_t i = 0; i < seen_count; i++)
        if (seen[i].base == base)
            return &seen[i];
    return 0;
}

/* True if the object was looked at before, and is the same. */
static int is_seen(const void *base)
{
    const struct seen *found = find_seen(base);
    return found && (found->unloaded == NEVER_UNLOADED || found->unloaded == unloaded);
}

static void add_seen(const void *base)
{
    struct seen *found = find_seen(base);
    if (!found && seen_count == seen_room) {
        seen_room = seen_room ? 2 * seen_room : 64;
        seen = realloc(seen, seen_room * sizeof *seen);
        if (!seen)
            give_up("out of memory while isolating the host's MPI; start fewer processes on this machine");
    }
    *(found ? found : &seen[seen_count++]) = (struct seen){ base, unloaded };
}

static int is_adapter(const void *address)
{
    return (uintptr_t)address >= adapter.begin && (uintptr_t)address < adapter.end;
}

static int is_mpi(const char *symbol)
{
    return strncmp(symbol, "MPI", 3) == 0 || strncmp(symbol, "PMPI", 4) == 0;
}

static void *host_dlopen(const char *file, int mode);

/* The host's address for a slot that leads, or once bound would lead, to the adapter. */
static void *choose(const char *symbol, void *current, void *context)
{
    (void)context;
    if (strcmp(symbol, "dlopen") == 0)
        return (void *)host_dlopen;
    if (!is_mpi(symbol) && !is_adapter(current))
        return 0;
    void *own = dlsym(host_handle, symbol);
    return is_adapter(own) ? 0 : own;
}

/* An object none of whose symbols' names matter has no slot of interest: its string table says so
 * at a fraction of the cost of reading its file. */
static int may_matter(const struct link_map *map)
{
    const char *strings = 0;
    size_t size = 0;
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_STRTAB)
            strings = (const char *)entry->d_un.d_ptr;
        if (entry->d_tag == DT_STRSZ)
            size = entry->d_un.d_val;
    }
    if (!strings || (uintptr_t)strings < (uintptr_t)map->l_addr)
        return 1;
    return memmem(strings, size, "MPI", 3) != 0 || memmem(strings, size, "dlopen", 6) != 0;
}

static const struct link_map *map_at(const void *base)
{
    Dl_info info;
    struct link_map *map = 0;
    return dladdr1(base, &info, (void **)&map, RTLD_DL_LINKMAP) ? map : 0;
}

/* What a slot that is not isolated gets reported with. */
struct leak {
    char symbol[128];
};

static int find_leak(const gotswap_slot *slot, void *context)
{
    struct leak *leak = context;
    int unbound = !slot->bound && is_mpi(slot->symbol);
    if ((!is_adapter(slot->value) || slot->value == (void *)host_dlopen) && !unbound)
        return 0;
    strncpy(leak->symbol, slot->symbol, sizeof leak->symbol - 1);
    return 1;
}

/* Ends the process if a slot of the object leads to the adapter. */
static void prove_slots(gotswap_object *object, const char *path)
{
    struct leak leak = { "" };
    if (gotswap_iterate(object, find_leak, &leak) != GOTSWAP_OK)
        give_up("%s of %s still leads to the adapter; run the program without the adapter on this machine",
                leak.symbol, path);
}

/* Binds one object of the host's to the host; proves it if the context asks for that. */
static int isolate_object(const char *path, const void *base, void *context)
{
    const int *prove = context;
    if (is_seen(base) || is_adapter(base))
        return 0;
    add_seen(base);
    const struct link_map *map = map_at(base);
    if (map && !may_matter(map))
        return 0;
    gotswap_object *object;
    size_t replaced = 0;
    if (gotswap_open_address(&object, base) != GOTSWAP_OK ||
        gotswap_replace_each(object, choose, 0, &replaced) != GOTSWAP_OK)
        give_up("cannot isolate %s: %s; run the program without the adapter on this machine", path, gotswap_message());
    if (*prove)
        prove_slots(object, path);
    gotswap_close(object);
    replaced_slots += (int)replaced;
    replaced_objects += replaced > 0;
    return 0;
}

/* Binds an object and what it needs to the host; for the host's library itself, proves it. */
static void isolate_closure(const char *path, int is_host)
{
    pthread_mutex_lock(&lock);
    unloaded = NEVER_UNLOADED;
    if (!is_host)
        dl_iterate_phdr(count_unloaded, &unloaded);
    if (gotswap_each_dependency(path, isolate_object, &is_host) != GOTSWAP_OK)
        give_up("cannot find what %s depends on: %s; run the program without the adapter on this machine",
                path, gotswap_message());
    pthread_mutex_unlock(&lock);
}

/* The path of what dlopen() returned, or null. */
static const char *path_of(void *handle)
{
    struct link_map *map = 0;
    return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map->l_name[0] ? map->l_name : 0;
}

/* Loads a file from the first folder that has it of those where the caller's object looks for its
 * libraries (DT_RUNPATH). */
static void *open_by_path(const void *caller, const char *file, int mode)
{
    const struct link_map *map = map_at(caller);
    Dl_serinfo size, *folders = 0;
    void *handle = 0;
    char path[PATH_MAX];
    if (!map || dlinfo((void *)map, RTLD_DI_SERINFOSIZE, &size) != 0 || !(folders = malloc(size.dls_size)))
        return 0;
    if (dlinfo((void *)map, RTLD_DI_SERINFOSIZE, folders) != 0 || dlinfo((void *)map, RTLD_DI_SERINFO, folders) != 0)
        folders->dls_cnt = 0;
    for (unsigned i = 0; i < folders->dls_cnt && !handle; i++)
        if (snprintf(path, sizeof path, "%s/%s", folders->dls_serpath[i].dls_name, file) < (int)sizeof path &&
            access(path, R_OK) == 0)
            handle = dlopen(path, mode);
    free(folders);
    return handle;
}

/* What the host's objects call for dlopen(): plugins are isolated before any code of theirs but
 * constructors runs. Symbols bound at load (RTLD_NOW) are bound anew. The loader takes the adapter
 * for the caller, and does not look where the caller's object would have it look. */
static void *host_dlopen(const char *file, int mode)
{
    void *handle = dlopen(file, mode);
    if (!handle && file && !strchr(file, '/')) {
        handle = open_by_path(__builtin_return_address(0), file, mode);
        handle = handle ? handle : dlopen(file, mode); /* for dlerror() */
    }
    const char *path = handle && file ? path_of(handle) : 0;
    if (path)
        isolate_closure(path, 0);
    return handle;
}

static int find_adapter(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    uintptr_t address = (uintptr_t)context, begin = UINTPTR_MAX, end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD)
            continue;
        uintptr_t at = info->dlpi_addr + segment->p_vaddr;
        begin = at < begin ? at : begin;
        end = at + segment->p_memsz > end ? at + segment->p_memsz : end;
    }
    if (address < begin || address >= end)
        return 0;
    adapter.begin = begin;
    adapter.end = end;
    return 1;
}

void isolate_host(void *handle, const char *path)
{
    host_handle = handle;
    dl_iterate_phdr(find_adapter, (void *)(uintptr_t)isolate_host);
    isolate_closure(path, 1);
}

static void prove_object(const void *base)
{
    const struct link_map *map = map_at(base);
    gotswap_object *object;
    if (!map || !may_matter(map))
        return;
    if (gotswap_open_address(&object, base) != GOTSWAP_OK)
        give_up("cannot prove that %s is isolated: %s; run the program without the adapter on this machine",
                map->l_name, gotswap_message());
    prove_slots(object, map->l_name);
    gotswap_close(object);
}

void isolate_prove(void)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < seen_count; i++)
        prove_object(seen[i].base);
    pthread_mutex_unlock(&lock);
}

void isolate_count(int *slots, int *objects)
{
    *slots = replaced_slots;
    *objects = replaced_objects;
}
