/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/carry_out.h"

#include <stdlib.h>
#include <string.h>

#include "convert/say.h"
#include "isolate/fortran_copy.h"
#include "isolate/fortran_sentinels.h"
#include "isolate/kept_slots.h"
#include "isolate/known_objects.h"
#include "isolate/natives.h"
#include "isolate/slots.h"
#include "process/loader.h"

/* Keeps an object loaded, waiting for a thread that is just loading it. Returns null if it is gone. */
static void *hold_object(const struct task *task)
{
    void *handle = loader.dlopen(task->path[0] ? task->path : 0, RTLD_LAZY | RTLD_NOLOAD);
    const struct link_map *map = handle ? linked_map(handle) : 0;
    if (map && map->l_ld == task->dynamic)
        return handle;
    if (handle)
        loader.dlclose(handle);
    return 0;
}

/* The object whose slots are looked at and kept, and what they showed. */
struct look {
    const ElfW(Dyn) *dynamic;
    int is_kept;
    struct leak leak;
};

static void look_at_slots(const gotswap_list *list, void *context)
{
    struct look *look = context;
    look->leak.list = list;
    for (size_t i = 0; i < list->count; i++) {
        const gotswap_linked *object = &list->objects[i];
        if (object->dynamic != look->dynamic)
            continue;
        look->leak.kept = kept_slots_renew(object);
        look->is_kept = look->leak.kept != 0;
        slots_look(object, &look->leak);
    }
}

/* Binds an object of the host's, and proves that it is bound. */
static void bind_object(const struct task *task, const struct held *held)
{
    struct known_object object = {
        .is = { task->owner, UNBOUND }, .dynamic = task->dynamic, .path = task->path, .seen = task->seen,
    };
    struct look look = { .dynamic = task->dynamic, .is_kept = 1, .leak.is_of_host = task->owner == HOST };
    object.slots = slots_bind(held);
    linked_look(look_at_slots, &look);
    if (!look.is_kept)
        give_up_memory("while isolating the host's MPI");
    slots_judge(&look.leak);
    owner_move(&object.is, FOUND_BOUND);
    known_put(&object);
}

/* True if another thread has found meanwhile that the object is the host's. */
static int is_host_by_now(const struct task *task)
{
    struct known_object known;
    return known_record(task->dynamic, &known) && owner_is_bound_here(known.is.owner) && known.path &&
           strcmp(known.path, task->path) == 0;
}

static void watch_object(const struct task *task, const struct held *held)
{
    if (!slots_watch(held))
        give_up("cannot give %s the Fortran constants of this process: %s; run it without the adapter", held->path,
                gotswap_message());
    if (task->is_apart)
        fortran_copy_serve(held);
    if (is_host_by_now(task))
        slots_bind(held);
}

/* A tool is held even if the caller holds it, for the handle is the scope in which its symbols are. */
static void carry_out(const struct task *task)
{
    int has_tools = owner_calls_tools(task->owner), is_held = task->is_held && !has_tools;
    void *handle = is_held ? 0 : hold_object(task);
    struct held held = {
        .path = task->path, .base = task->base, .end = task->end, .scope = has_tools ? handle : 0,
        .is_native = task->owner == ARRIVED && natives_include(task->path),
    };
    if (!handle && !is_held)
        return;
    if (owner_is_bound_here(task->owner))
        bind_object(task, &held);
    else
        watch_object(task, &held);
    if (handle)
        loader.dlclose(handle);
}

void plan_carry_out(struct plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        carry_out(&plan->tasks[i]);
        free(plan->tasks[i].path);
    }
    free(plan->tasks);
    if (!plan->only_these) {
        sentinels_tell();
        known_examined_until(plan->loaded);
    }
}
