/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "isolate/pass.h"

#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "convert/say.h"
#include "isolate/adapter_parts.h"
#include "isolate/fortran_copy.h"
#include "isolate/host_names.h"
#include "isolate/known.h"
#include "isolate/sentinels.h"
#include "isolate/slots.h"
#include "process/loader.h"

/* How many objects had been loaded when all that were there had been looked at. */
static unsigned long long examined;

int pass_host_isolates, pass_host_has_namesakes;

void pass_add(struct pass *pass, struct task task, const char *path)
{
    if (pass->count == pass->room) {
        pass->room = pass->room ? 2 * pass->room : 16;
        pass->tasks = realloc(pass->tasks, pass->room * sizeof *pass->tasks);
    }
    task.path = strdup(path);
    if (!pass->tasks || !task.path)
        give_up("out of memory while isolating the host's MPI; start fewer processes on this machine");
    pass->tasks[pass->count++] = task;
}

/* ---- which objects ---- */

/* True if there is nothing more to be done for one of the host's objects: it was looked at, with all that it needs. */
static int is_done(const gotswap_list *list, size_t index)
{
    struct object known;
    return known_in(list, index, &known) && (!known.path || known.is_bound);
}

/* Marks the objects that the root needs, and those that they need; it is enough to go where nobody went before. */
static void mark_closure(const gotswap_list *list, const struct pass *pass, char *marks)
{
    size_t *queue = malloc((list->count + 1) * sizeof *queue), count = 0;
    if (!queue)
        give_up("out of memory while isolating the host's MPI; start fewer processes on this machine");
    for (size_t i = 0; i < list->count; i++)
        if (list->objects[i].dynamic == pass->root)
            queue[count++] = i;
    for (size_t done = 0; done < count; done++) {
        const gotswap_linked *object = &list->objects[queue[done]];
        const char *name;
        if (marks[queue[done]] || is_done(list, queue[done]))
            continue;
        marks[queue[done]] = 1;
        for (size_t needed = 0; (name = gotswap_string(object, DT_NEEDED, needed)); needed++)
            for (size_t i = 0; i < list->count && count < list->count; i++)
                if (linked_is_named(&list->objects[i], name)) {
                    if (!marks[i])
                        queue[count++] = i;
                    break;
                }
    }
    free(queue);
}

static void plan_host(struct pass *pass, const gotswap_linked *object, struct task task)
{
    struct object known = { .dynamic = object->dynamic, .seen = task.seen };
    if (slots_are_host(object)) {
        pass_add(pass, task, object->name);
        known.path = object->name;
        known.is_arrival = task.is_arrival;
        known.is_tool = task.is_tool;
    }
    known_put(&known);
}

/* An object that arrived by itself. One that was the host's before and came again is so again. */
static void plan_arrival(struct pass *pass, const gotswap_linked *object, struct task task)
{
    struct object before;
    int is_again = known_find(object->dynamic, &before) && before.path && strcmp(before.path, object->name) == 0;
    if (is_again || host_names_needed(object)) {
        task.is_arrival = is_again ? before.is_arrival : 1;
        task.is_tool = is_again ? before.is_tool : 1;
        plan_host(pass, object, task);
    } else if (slots_are_program(object) || sentinels_concern(object)) {
        task.action = WATCH;
        task.is_apart = sentinels_are_apart(object);
        pass_add(pass, task, object->name);
    }
}

/* The adapter's own libraries have slots of Fortran's sentinels, too. They are never unloaded. */
static void plan_part(struct pass *pass, const gotswap_linked *object, struct task task)
{
    if (sentinels_concern(object)) {
        task.action = WATCH;
        task.is_held = 1;
        pass_add(pass, task, object->name);
    }
}

/* An object that the host needs or has loaded. What an adapter that is the host has loaded, it binds itself. */
static void plan_own(struct pass *pass, const gotswap_linked *object, struct task task)
{
    struct object below = { .dynamic = object->dynamic, .path = object->name, .seen = task.seen, .is_bound = 1, .is_below = 1 };
    if (!pass_host_isolates || host_names_needed(object))
        plan_host(pass, object, task);
    else
        known_put(&below);
}

/* The dynamic linker's list is locked. */
static void plan(const gotswap_list *list, void *context)
{
    struct pass *pass = context;
    size_t fresh = linked_since(list, __atomic_load_n(&examined, __ATOMIC_ACQUIRE));
    size_t loaded_here = pass->window ? window_since(pass->window, list) : list->count;
    char *is_needed = calloc(1, list->count + 1);
    if (!is_needed)
        give_up("out of memory while isolating the host's MPI; start fewer processes on this machine");
    own_add(list, fresh);
    known_refresh(list);
    if (pass->root)
        mark_closure(list, pass, is_needed);
    for (size_t i = 0; i < list->count; i++) {
        const gotswap_linked *object = &list->objects[i];
        struct task task = {
            .base = object->base, .end = object->end, .dynamic = object->dynamic, .action = BIND, .is_tool = pass->is_tool,
            .is_held = is_needed[i], .seen = pass->is_lasting ? NEVER_UNLOADED : list->loads,
        };
        if (is_done(list, i))
            continue;
        if (is_adapter(object->base)) {
            if (i >= fresh && !pass->only_these)
                plan_part(pass, object, task);
        } else if ((is_needed[i] || i >= loaded_here) && (pass_host_has_namesakes || !linked_needs(object, APP_SONAMES)))
            plan_own(pass, object, task);
        else if (i >= fresh && !pass->only_these)
            plan_arrival(pass, object, task);
    }
    pass->loaded = list->loads;
    free(is_needed);
}

void pass_plan(struct pass *pass)
{
    linked_look(plan, pass);
}

/* Objects of the host's, or of a tool of its ABI, have constants of their own family. */
static int is_of_host(const gotswap_list *list, size_t index)
{
    struct object known;
    return (known_in(list, index, &known) && known.path) || host_names_needed(&list->objects[index]);
}

static void plan_sentinels(const gotswap_list *list, void *context)
{
    struct pass *pass = context;
    for (size_t i = 0; i < list->count; i++) {
        const gotswap_linked *object = &list->objects[i];
        struct task task = { .base = object->base, .end = object->end, .dynamic = object->dynamic, .action = WATCH, .is_held = 1,
                             .is_apart = sentinels_are_apart(object) };
        if (!is_of_host(list, i) && sentinels_concern(object))
            pass_add(pass, task, object->name);
    }
}

void pass_plan_sentinels(struct pass *pass)
{
    linked_look(plan_sentinels, pass);
}

/* ---- what is done with them ---- */

/* Keeps an object loaded, waiting for a thread that is just loading it; null if it is gone. */
static void *hold(const struct task *task)
{
    void *handle = loader.dlopen(task->path[0] ? task->path : 0, RTLD_LAZY | RTLD_NOLOAD);
    const struct link_map *map = handle ? linked_map(handle) : 0;
    if (map && map->l_ld == task->dynamic)
        return handle;
    if (handle)
        loader.dlclose(handle);
    return 0;
}

/* What is asked about one object. */
struct question {
    const ElfW(Dyn) *dynamic;
    struct leak leak;
};

static void look(const gotswap_list *list, void *context)
{
    struct question *question = context;
    question->leak.program = &list->objects[0];
    for (size_t i = 0; i < list->count; i++)
        if (list->objects[i].dynamic == question->dynamic)
            slots_look(&list->objects[i], &question->leak);
}

/* Binds a held object to the host, and proves that it is. */
static void bind_object(const struct task *task, const struct held *held)
{
    struct object object = {
        .dynamic = task->dynamic, .path = task->path, .seen = task->seen, .is_tool = task->is_tool, .is_arrival = task->is_arrival,
    };
    struct question question = { .dynamic = task->dynamic };
    object.slots = slots_bind(held);
    linked_look(look, &question);
    slots_judge(&question.leak);
    object.is_bound = 1;
    known_put(&object);
}

/* Another thread may have found meanwhile that the object is the host's. */
static void watch_object(const struct task *task, const struct held *held)
{
    struct object known;
    if (!slots_watch(held))
        give_up("cannot give %s the Fortran constants of this process: %s; run it without the adapter", held->path,
                gotswap_message());
    if (task->is_apart)
        fortran_copy_serve(held);
    if (known_find(task->dynamic, &known) && known.path && strcmp(known.path, task->path) == 0)
        slots_bind(held);
}

static void carry_out(const struct task *task)
{
    int is_held = task->is_held && !task->is_tool;
    void *handle = is_held ? 0 : hold(task);
    struct held held = { .path = task->path, .base = task->base, .end = task->end, .scope = task->is_tool ? handle : 0 };
    if (!handle && !is_held)
        return;
    if (task->action == BIND)
        bind_object(task, &held);
    else
        watch_object(task, &held);
    if (handle)
        loader.dlclose(handle);
}

static void advance(unsigned long long loaded)
{
    unsigned long long before = __atomic_load_n(&examined, __ATOMIC_ACQUIRE);
    while (before < loaded && !__atomic_compare_exchange_n(&examined, &before, loaded, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        ;
}

void pass_carry_out(struct pass *pass)
{
    for (size_t i = 0; i < pass->count; i++) {
        carry_out(&pass->tasks[i]);
        free(pass->tasks[i].path);
    }
    free(pass->tasks);
    if (!pass->only_these) {
        sentinels_tell();
        advance(pass->loaded);
    }
}

int pass_is_due(void)
{
    return linked_loads() != __atomic_load_n(&examined, __ATOMIC_ACQUIRE);
}
