/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/plan.h"

#include <stdlib.h>
#include <string.h>

#include "convert/facts.h"
#include "convert/say.h"
#include "isolate/adapter_parts.h"
#include "isolate/fortran_sentinels.h"
#include "isolate/host_copies.h"
#include "isolate/host_names.h"
#include "isolate/known_objects.h"
#include "isolate/slots.h"
#include "process/names.h"

int plan_host_is_adapter, plan_host_has_namesakes;

void plan_add(struct plan *plan, struct task task, const gotswap_linked *object)
{
    if (plan->count == plan->room) {
        plan->room = plan->room ? 2 * plan->room : 16;
        plan->tasks = realloc(plan->tasks, plan->room * sizeof *plan->tasks);
    }
    task.path = strdup(object->name);
    task.base = object->base;
    task.end = object->end;
    task.dynamic = object->dynamic;
    if (!plan->tasks || !task.path)
        give_up_memory("while isolating the host's MPI");
    plan->tasks[plan->count++] = task;
}

/* ---- what the root needs ---- */

/* True if nothing more is to be done for an object, nor for those that it needs. */
static int is_done(const gotswap_list *list, size_t index)
{
    struct known_object known;
    known_read(list, index, &known);
    return known.is.binding != UNBOUND;
}

/* Adds to the queue the first object of each name that this one needs, unless it is marked, or the program's where the host has a
 * copy of its own. */
static size_t queue_needed(const gotswap_list *list, const gotswap_linked *object, const char *marks, size_t *queue, size_t count)
{
    const char *name;
    for (size_t needed = 0; (name = gotswap_string(object, DT_NEEDED, needed)); needed++)
        for (size_t i = 0; i < list->count && count < list->count; i++)
            if (linked_is_named(&list->objects[i], name)) {
                if (!marks[i] && !(host_copies_exist && host_copies_replace(&list->objects[i])))
                    queue[count++] = i;
                break;
            }
    return count;
}

/* Marks the objects that the root needs, and those that they need; passes over what is done. */
static void mark_needed(const gotswap_list *list, const struct plan *plan, char *marks)
{
    size_t *queue = malloc((list->count + 1) * sizeof *queue), count = 0;
    if (!queue)
        give_up_memory("while isolating the host's MPI");
    for (size_t i = 0; i < list->count; i++)
        if (list->objects[i].dynamic == plan->root)
            queue[count++] = i;
    for (size_t next = 0; next < count; next++) {
        if (marks[queue[next]] || is_done(list, queue[next]))
            continue;
        marks[queue[next]] = 1;
        count = queue_needed(list, &list->objects[queue[next]], marks, queue, count);
    }
    free(queue);
}

/* ---- whose each object is ---- */

/* The dynamic linker's list, which is locked, as a plan sees it. */
struct view {
    const gotswap_list *list;
    struct plan *plan;
    size_t first_new;  /* of the objects that were never looked at */
    size_t first_span; /* of those that appeared in the load span */
    char *is_needed;   /* of each object, whether the root needs it */
};

static int is_of_root(const struct view *view, size_t i)
{
    return (view->is_needed[i] || i >= view->first_span) &&
           (plan_host_has_namesakes || !needs_application(&view->list->objects[i]));
}

static enum owner owner_of_root(const struct view *view, const gotswap_linked *object)
{
    if (plan_host_is_adapter && !host_names_needed(object))
        return INNER;
    return view->plan->is_tool ? TOOL : HOST;
}

/* Returns the owner of an object that neither the host nor a tool loaded. An object that was the host's before it was unloaded has
 * its former owner again. */
static enum owner owner_of_arrival(const gotswap_linked *object)
{
    struct known_object before;
    if (known_record(object->dynamic, &before) && before.path && strcmp(before.path, object->name) == 0)
        return before.is.owner;
    return host_names_needed(object) ? ARRIVED : PROGRAM;
}

/* Returns the owner that the plan finds an object to have; UNDECIDED if there is nothing to find out. */
static enum owner find_owner(const struct view *view, size_t i, const struct ownership *known)
{
    int is_left = i < view->first_new || view->plan->only_these;
    if (known->owner == ADAPTER)
        return is_left ? UNDECIDED : ADAPTER;
    if (is_of_root(view, i))
        return owner_of_root(view, &view->list->objects[i]);
    return is_left ? UNDECIDED : owner_of_arrival(&view->list->objects[i]);
}

/* ---- what is to be done ---- */

/* True if slots of MPI's lead to the host, as it comes first, and must lead to the adapter. */
static int is_led_astray(const gotswap_linked *object, enum owner owner)
{
    return slots_host_is_first && (owner == ADAPTER || needs_application(object)) && slots_are_mpi(object);
}

static int has_slots(const gotswap_linked *object, enum owner owner)
{
    if (owner_is_bound_here(owner))
        return slots_are_host(object);
    return (owner == PROGRAM && slots_are_program(object)) || is_led_astray(object, owner) || sentinels_concern(object);
}

/* Records an object of the host's; with its path, unless nobody looks at it again. */
static void record_object(struct known_object *known, const gotswap_linked *object, unsigned long long seen)
{
    known->path = known->is.binding == NO_SLOTS ? 0 : object->name;
    known->seen = seen;
    known_put(known);
}

static unsigned long long seen_until(const struct view *view)
{
    return view->plan->is_lasting ? NEVER_UNLOADED : view->list->loads;
}

static void plan_task(const struct view *view, size_t i, enum owner owner)
{
    const gotswap_linked *object = &view->list->objects[i];
    struct task task = {
        .owner = owner, .seen = seen_until(view),
        .is_held = view->is_needed[i] || owner == ADAPTER, /* parts of the adapter are never unloaded */
        .is_apart = owner == PROGRAM && sentinels_are_apart(object),
        .calls_mpi = owner == ARRIVED && slots_are_mpi(object),
    };
    plan_add(view->plan, task, object);
}

static void plan_object(const struct view *view, size_t i)
{
    const gotswap_linked *object = &view->list->objects[i];
    struct known_object known;
    known_read(view->list, i, &known);
    enum owner owner = known.is.binding == UNBOUND ? find_owner(view, i, &known.is) : UNDECIDED;
    if (owner == UNDECIDED || !owner_move(&known.is, owner_finding(owner)))
        return;
    if (owner != INNER && has_slots(object, owner))
        plan_task(view, i, owner);
    else if (owner_is_bound_here(owner))
        owner_move(&known.is, FOUND_NO_SLOTS);
    if (owner_is_of_host(owner))
        record_object(&known, object, seen_until(view));
}

static void plan_objects(const gotswap_list *list, void *context)
{
    struct plan *plan = context;
    struct view view = {
        .list = list, .plan = plan, .first_new = linked_since(list, known_examined()),
        .first_span = plan->span ? load_span_first(plan->span, list) : list->count,
        .is_needed = calloc(1, list->count + 1),
    };
    if (!view.is_needed)
        give_up_memory("while isolating the host's MPI");
    adapter_parts_add(list, view.first_new);
    known_refresh(list);
    if (plan->root)
        mark_needed(list, plan, view.is_needed);
    for (size_t i = 0; i < list->count; i++)
        plan_object(&view, i);
    plan->loaded = list->loads;
    free(view.is_needed);
}

void plan_make(struct plan *plan)
{
    linked_look(plan_objects, plan);
}

/* ---- Fortran's sentinels ---- */

/* Leaves out the host's objects, and tools of its ABI: their constants are those of their own family. */
static void plan_sentinels_of_objects(const gotswap_list *list, void *context)
{
    adapter_parts_add(list, linked_since(list, known_examined())); /* a Fortran library, whose constructor runs */
    for (size_t i = 0; i < list->count; i++) {
        const gotswap_linked *object = &list->objects[i];
        struct known_object known;
        known_read(list, i, &known);
        int is_of_host = (owner_is_of_host(known.is.owner) && known.is.binding != NO_SLOTS) || host_names_needed(object);
        if (is_of_host || !sentinels_concern(object))
            continue;
        struct task task = {
            .owner = known.is.owner == ADAPTER ? ADAPTER : PROGRAM, .is_held = 1, .is_apart = sentinels_are_apart(object),
        };
        plan_add(context, task, object);
    }
}

void plan_sentinels(struct plan *plan)
{
    linked_look(plan_sentinels_of_objects, plan);
}

/* ---- slots that lead to the host, as it comes first ---- */

static void plan_objects_led_astray(const gotswap_list *list, void *context)
{
    for (size_t i = 0; i < list->count; i++) {
        const gotswap_linked *object = &list->objects[i];
        struct known_object known;
        known_read(list, i, &known);
        int is_part = known.is.owner == ADAPTER;
        struct task task = { .owner = is_part ? ADAPTER : PROGRAM, .is_held = is_part };
        if (!owner_is_of_host(known.is.owner) && !host_names_needed(object) && is_led_astray(object, task.owner))
            plan_add(context, task, object);
    }
}

void plan_led_astray(struct plan *plan)
{
    linked_look(plan_objects_led_astray, plan);
}
