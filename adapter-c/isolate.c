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

#include "config.h"
#include "error.h"
#include "gotswap.h"
#include "linked.h"
#include "tools.h"

/* The objects that were looked at, by load address; after how many unloadings by the process, for
 * another object may take an unloaded one's address. What the host's library itself needs is never
 * unloaded. */
struct seen {
    const void *base;
    unsigned long long unloaded;
    const char *path; /* null if it is not the host's, or has no slot of interest */
    int slots;        /* that were replaced */
    int arrived;      /* it was not the host that loaded it */
};
#define NEVER_UNLOADED (~0ull)
static struct seen *seen;
static size_t seen_count, seen_room;
static void *host_handle;

/* Guards the list only: whoever holds it asks the dynamic linker for nothing, whose own lock a thread
 * may hold that waits for this one. What is isolated by two threads at a time is so twice. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The adapter's own addresses: a pair is a folder of libraries, which are never unloaded. */
enum { PARTS = 16 };
static struct {
    const char *folder; /* ends with a slash */
    void *handle;
    struct { const void *begin, *end; } parts[PARTS];
    int part_count;
} adapter;

/* One pass over objects. */
struct pass {
    unsigned long long unloaded; /* before it, or NEVER_UNLOADED */
    int prove, with_tools, arrived;
    void *scope; /* where the object's symbols are, if not in the host's library */
};

static struct seen *find_seen(const void *base)
{
    for (size_t i = 0; i < seen_count; i++)
        if (seen[i].base == base)
            return &seen[i];
    return 0;
}

/* True if the object was looked at before, and is the same. */
static int is_seen(const void *base, unsigned long long unloaded)
{
    pthread_mutex_lock(&lock);
    const struct seen *found = find_seen(base);
    int same = found && (found->unloaded == NEVER_UNLOADED || found->unloaded == unloaded);
    pthread_mutex_unlock(&lock);
    return same;
}

static void add_seen(struct seen object)
{
    pthread_mutex_lock(&lock);
    struct seen *found = find_seen(object.base);
    if (!found && seen_count == seen_room) {
        seen_room = seen_room ? 2 * seen_room : 64;
        seen = realloc(seen, seen_room * sizeof *seen);
        if (!seen)
            give_up("out of memory while isolating the host's MPI; start fewer processes on this machine");
    }
    *(found ? found : &seen[seen_count++]) = object;
    pthread_mutex_unlock(&lock);
}

int is_adapter(const void *address)
{
    int count = __atomic_load_n(&adapter.part_count, __ATOMIC_ACQUIRE);
    for (int i = 0; i < count; i++)
        if (address >= adapter.parts[i].begin && address < adapter.parts[i].end)
            return 1;
    return 0;
}

/* Names of MPI's for C, and as compilers for Fortran spell them. */
static int is_mpi(const char *symbol)
{
    symbol += strspn(symbol, "_");
    symbol += *symbol == 'P' || *symbol == 'p';
    return strncmp(symbol, "MPI", 3) == 0 || strncmp(symbol, "mpi", 3) == 0;
}

static void *host_dlopen(const char *file, int mode);
static void *tool_dlsym(void *handle, const char *symbol);

/* The host's address for a slot that leads, or once bound would lead, to the adapter. */
static void *choose(const char *symbol, void *current, void *context)
{
    const struct pass *pass = context;
    if (strcmp(symbol, "dlopen") == 0)
        return (void *)host_dlopen;
    if (pass->with_tools && strcmp(symbol, "dlsym") == 0)
        return (void *)tool_dlsym;
    if (!is_mpi(symbol) && !is_adapter(current))
        return 0;
    void *own = pass->with_tools ? tools_find(symbol) : 0;
    own = own ? own : dlsym(pass->scope ? pass->scope : host_handle, symbol);
    return is_adapter(own) ? 0 : own;
}

/* What is asked about one object. */
struct question {
    const void *address;
    int with_tools, may_matter;
};

/* True of the slots that choose() may replace, or that would have to be. */
static int is_of_interest(const char *symbol, const void *content, const void *context)
{
    const struct question *question = context;
    return is_mpi(symbol) || is_adapter(content) || strcmp(symbol, "dlopen") == 0 ||
           (question->with_tools && strcmp(symbol, "dlsym") == 0);
}

/* Most objects have no slot of interest: their relocations in memory say so at a fraction of the cost of
 * reading their files. */
static int answer(const struct linked *object, void *context)
{
    struct question *question = context;
    if (question->address < object->base || question->address >= object->end)
        return 0;
    question->may_matter = !object->strings || linked_has_slot(object, is_of_interest, question);
    return 1;
}

static int may_matter(const void *base, int with_tools)
{
    struct question question = { base, with_tools, 0 };
    linked_each(answer, &question);
    return question.may_matter;
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
    int slots; /* that were looked at */
};

static int find_leak(const gotswap_slot *slot, void *context)
{
    struct leak *leak = context;
    leak->slots++;
    int unbound = !slot->bound && is_mpi(slot->symbol) && is_adapter(dlsym(adapter.handle, slot->symbol));
    int is_hook = slot->value == (void *)host_dlopen || slot->value == (void *)tool_dlsym;
    if ((!is_adapter(slot->value) || is_hook) && !unbound)
        return 0;
    strncpy(leak->symbol, slot->symbol, sizeof leak->symbol - 1);
    return 1;
}

/* Ends the process if a slot of the object leads to the adapter; returns how many it has. */
static int prove_slots(gotswap_object *object, const char *path)
{
    struct leak leak = { "", 0 };
    if (gotswap_iterate(object, find_leak, &leak) != GOTSWAP_OK)
        give_up("%s of %s still leads to the adapter; run the program without the adapter on this machine",
                leak.symbol, path);
    return leak.slots;
}

/* Binds one object of the host's to the host; proves it if the pass is to. */
static int isolate_object(const char *path, const void *base, void *context)
{
    struct pass *pass = context;
    struct seen object = { base, pass->unloaded, 0, 0, pass->arrived };
    if (is_adapter(base) || is_seen(base, pass->unloaded))
        return 0;
    gotswap_object *opened;
    size_t replaced = 0;
    if (!may_matter(base, pass->with_tools)) {
        add_seen(object);
        return 0;
    }
    int code = gotswap_open_address(&opened, base);
    if (code == GOTSWAP_ENOTLOADED && pass->arrived) /* gone already */
        return 0;
    pass->scope = pass->with_tools ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : 0;
    if (code != GOTSWAP_OK || gotswap_replace_each(opened, choose, pass, &replaced) != GOTSWAP_OK)
        give_up("cannot isolate %s: %s; run the program without the adapter on this machine", path, gotswap_message());
    if (pass->prove)
        prove_slots(opened, path);
    gotswap_close(opened);
    if (pass->scope)
        dlclose(pass->scope);
    object.path = strdup(path);
    object.slots = (int)replaced;
    add_seen(object);
    return 0;
}

/* Binds an object and what it needs to the host. */
static void isolate_closure(const char *path, struct pass pass)
{
    if (gotswap_each_dependency(path, isolate_object, &pass) != GOTSWAP_OK)
        give_up("cannot find what %s depends on: %s; run the program without the adapter on this machine",
                path, gotswap_message());
}

static unsigned long long count_unloaded(void)
{
    unsigned long long loaded, unloaded;
    linked_counts(&loaded, &unloaded);
    return unloaded;
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
        isolate_closure(path, (struct pass){ .unloaded = count_unloaded() });
    return handle;
}

/* What tools call for dlsym(): where they were preloaded, the host's library would be the next one, and
 * the first. The dynamic linker must go on taking them for the callers: this ends by a jump. */
__attribute__((optimize("O2"))) static void *tool_dlsym(void *handle, const char *symbol)
{
    if ((handle == RTLD_NEXT || handle == RTLD_DEFAULT) && is_mpi(symbol)) {
        void *own = dlsym(host_handle, symbol);
        if (own)
            return own;
    }
    return dlsym(handle, symbol);
}

/* The dynamic linker's list is locked: no other thread adds. */
static int find_adapter(const struct linked *object, void *context)
{
    (void)context;
    int is_own = (void *)isolate_host >= object->base && (void *)isolate_host < object->end;
    const char *file = linked_file(object->path);
    size_t length = (size_t)(file - object->path);
    if (!is_own && (length == 0 || !adapter.folder || strlen(adapter.folder) != length ||
                    strncmp(object->path, adapter.folder, length) != 0 || !is_listed(APP_SONAMES, file, strlen(file))))
        return 0;
    if (is_adapter(object->base) || adapter.part_count == PARTS)
        return 0;
    adapter.parts[adapter.part_count].begin = object->base;
    adapter.parts[adapter.part_count].end = object->end;
    __atomic_store_n(&adapter.part_count, adapter.part_count + 1, __ATOMIC_RELEASE);
    return 0;
}

void isolate_host(void *handle, const char *path)
{
    host_handle = handle;
    Dl_info own;
    if (dladdr((void *)isolate_host, &own)) {
        adapter.handle = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
        adapter.folder = strndup(own.dli_fname, (size_t)(linked_file(own.dli_fname) - own.dli_fname));
    }
    linked_each(find_adapter, 0);
    isolate_closure(path, (struct pass){ .unloaded = NEVER_UNLOADED, .prove = 1 });
}

void isolate_tool(const char *path)
{
    isolate_closure(path, (struct pass){ .unloaded = count_unloaded(), .prove = 1, .with_tools = 1 });
}

/* Objects to be looked at when the dynamic linker's list is no longer locked. */
struct arrivals {
    struct arrival {
        const void *base;
        char *path;
        int is_host;
    } *objects;
    size_t count, room;
    unsigned long long unloaded;
};

static int is_dlsym(const char *symbol, const void *content, const void *context)
{
    (void)content, (void)context;
    return strcmp(symbol, "dlsym") == 0;
}

/* The libraries that define dlsym() mention it, too. */
static int calls_dlsym(const struct linked *object)
{
    return linked_mentions(object, "dlsym") && linked_has_slot(object, is_dlsym, 0);
}

static int note_arrival(const struct linked *object, void *context)
{
    struct arrivals *arrivals = context;
    int is_host = linked_needs(object, HOST_SONAMES);
    if ((!is_host && !calls_dlsym(object)) || is_adapter(object->base) ||
        is_seen(object->base, arrivals->unloaded))
        return 0;
    if (arrivals->count == arrivals->room) {
        size_t room = arrivals->room ? 2 * arrivals->room : 16;
        struct arrival *objects = realloc(arrivals->objects, room * sizeof *objects);
        if (!objects)
            return 1;
        arrivals->objects = objects;
        arrivals->room = room;
    }
    arrivals->objects[arrivals->count++] = (struct arrival){ object->base, strdup(object->path), is_host };
    return 0;
}

/* What the program's objects call for dlsym() and dlopen(). The dynamic linker must go on taking their
 * callers for the callers: both end by a jump. */
__attribute__((optimize("O2"))) static void *program_dlsym(void *handle, const char *name)
{
    isolate_arrivals(0);
    return dlsym(handle, name);
}

__attribute__((optimize("O2"))) static void *program_dlopen(const char *file, int mode)
{
    isolate_arrivals(0);
    return dlopen(file, mode);
}

static void *choose_for_program(const char *symbol, void *current, void *context)
{
    (void)current, (void)context;
    return strcmp(symbol, "dlsym") == 0 ? (void *)program_dlsym : strcmp(symbol, "dlopen") == 0 ? (void *)program_dlopen : 0;
}

/* Makes an object of the program's tell when it looks for symbols of what it loaded. If that fails the
 * program still runs, only without the host's bindings and tools that it may load. */
static void watch_program(const void *base, unsigned long long unloaded)
{
    gotswap_object *object;
    if (gotswap_open_address(&object, base) == GOTSWAP_OK) {
        gotswap_replace_each(object, choose_for_program, 0, 0);
        gotswap_close(object);
    }
    add_seen((struct seen){ base, unloaded, 0, 0, 0 });
}

void isolate_arrivals(void (*meet)(const char *path))
{
    static unsigned long long last;
    unsigned long long loaded;
    struct arrivals arrivals = { 0, 0, 0, 0 };
    linked_counts(&loaded, &arrivals.unloaded);
    if (loaded + arrivals.unloaded == __atomic_load_n(&last, __ATOMIC_ACQUIRE))
        return;
    linked_each(find_adapter, 0);
    linked_each(note_arrival, &arrivals);
    for (size_t i = 0; meet && i < arrivals.count; i++)
        if (arrivals.objects[i].is_host && arrivals.objects[i].path)
            meet(arrivals.objects[i].path);
    for (size_t i = 0; i < arrivals.count; i++) {
        struct pass pass = { arrivals.unloaded, 1, 1, 1, 0 };
        struct arrival *arrival = &arrivals.objects[i];
        if (arrival->is_host)
            isolate_object(arrival->path ? arrival->path : "", arrival->base, &pass);
        else
            watch_program(arrival->base, arrivals.unloaded);
        free(arrival->path);
    }
    free(arrivals.objects);
    __atomic_store_n(&last, loaded + arrivals.unloaded, __ATOMIC_RELEASE);
}

/* The object numbered `index`, or one without a base. */
static struct seen seen_at(size_t index)
{
    struct seen object = { 0, 0, 0, 0, 0 };
    pthread_mutex_lock(&lock);
    if (index < seen_count)
        object = seen[index];
    pthread_mutex_unlock(&lock);
    return object;
}

void isolate_each_arrival(void (*visit)(const char *path))
{
    struct seen object;
    for (size_t i = 0; (object = seen_at(i)).base; i++)
        if (object.path && object.arrived)
            visit(object.path);
}

/* What is asked about a load address. */
struct presence {
    const void *base;
    int found;
};

static int look_for(const struct linked *object, void *context)
{
    struct presence *presence = context;
    return presence->found = object->base == presence->base;
}

static int is_loaded_at(const void *base)
{
    struct presence presence = { base, 0 };
    linked_each(look_for, &presence);
    return presence.found;
}

/* How many slots the object has; ends the process if one leads to the adapter. An object that was
 * unloaded has none, although its address may lie inside another one by now. */
static int prove_object(const struct seen *seen_object)
{
    gotswap_object *object;
    if (!seen_object->path || !is_loaded_at(seen_object->base) || !may_matter(seen_object->base, 1))
        return 0;
    if (gotswap_open_address(&object, seen_object->base) != GOTSWAP_OK)
        give_up("cannot prove that %s is isolated: %s; run the program without the adapter on this machine",
                seen_object->path, gotswap_message());
    int slots = prove_slots(object, seen_object->path);
    gotswap_close(object);
    return slots;
}

void isolate_prove(void)
{
    int slots, objects;
    isolate_report(INT_MAX, 0, &slots, &objects);
}

int isolate_report(int first, void (*visit)(const char *path, int slots), int *slots, int *objects)
{
    struct seen object;
    int index = 0;
    *slots = *objects = 0;
    for (; (object = seen_at((size_t)index)).base; index++) {
        int proved = prove_object(&object);
        *slots += proved;
        *objects += proved > 0;
        if (index >= first && object.slots > 0)
            visit(object.path, object.slots);
    }
    return index;
}
