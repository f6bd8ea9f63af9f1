/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/isolate.h"

#include "isolate/carry_out.h"
#include "isolate/fortran_copy.h"
#include "isolate/fortran_sentinels.h"
#include "isolate/host_copies.h"
#include "isolate/host_names.h"
#include "isolate/known_objects.h"
#include "isolate/natives.h"
#include "isolate/proof.h"
#include "isolate/slots.h"
#include "process/loader.h"

static void make_and_carry_out(struct plan plan)
{
    plan_make(&plan);
    plan_carry_out(&plan);
}

/* True if something was loaded that nobody has looked at. */
static int is_due(void)
{
    return linked_loads() != known_examined();
}

static const ElfW(Dyn) *root_of(void *handle)
{
    const struct link_map *map = handle ? linked_map(handle) : 0;
    return map && map->l_name[0] ? map->l_ld : 0;
}

static void isolate_copy(void *handle, const struct load_span *span)
{
    (void)span;
    make_and_carry_out((struct plan){ .root = root_of(handle), .only_these = 1, .is_lasting = 1 });
}

void isolate_host(void *handle, const struct host_loading *loading)
{
    loader_find();
    slots_start(handle);
    host_names_start(handle, loading->span);
    plan_host_is_adapter = loading->is_adapter;
    plan_host_has_namesakes = loading->namesakes > 0;
    if (host_copies_exist)
        host_copies_each_new(isolate_copy, 0);
    make_and_carry_out((struct plan){ .root = root_of(handle), .only_these = 1, .is_lasting = 1,
                                      .span = loading->is_adapter || loading->namesakes > 0 ? loading->span : 0 });
}

void isolate_tool(void *handle, const struct load_span *span)
{
    make_and_carry_out((struct plan){ .root = root_of(handle), .span = span, .is_tool = 1, .only_these = 1 });
}

/* Does nothing if nothing was loaded since the last time, and the host had this object before. */
static void isolate_needed(void *handle, const struct load_span *span)
{
    struct known_object known;
    const ElfW(Dyn) *root = root_of(handle);
    if (!is_due() && (!root || known_record(root, &known)))
        return;
    make_and_carry_out((struct plan){ .root = root, .span = span });
    if (__atomic_load_n(&taken_dlopen, __ATOMIC_ACQUIRE)) /* that function may rewrite slots whenever something is loaded */
        bind_changed_again();
}

/* Isolate what has arrived, for the adapter whose host this one is, and for the one that is this one's host: either's hooks may be where
 * the other one's are not. */
static void (*others[2])(void);
static _Thread_local int is_telling; /* they may call dlsym(), where this one's hook is, or tell this one */

void isolate_with(void (*isolate)(void))
{
    others[others[0] != 0] = isolate;
}

static void tell_others(void)
{
    if (is_telling)
        return;
    is_telling = 1;
    for (int i = 0; i < 2 && others[i]; i++)
        others[i]();
    is_telling = 0;
}

void isolate_opened(void *handle, const struct load_span *span)
{
    if (host_copies_exist)
        host_copies_each_new(isolate_copy, span);
    isolate_needed(handle, span);
    tell_others();
}

void isolate_within(const struct load_span *span)
{
    make_and_carry_out((struct plan){ .span = span });
}

void isolate_used(void *handle)
{
    isolate_needed(handle, 0);
}

/* Notes natives. Where they are, the application's parts may have slots that lead to the host. `is_held`: nothing is unloaded
 * meanwhile. */
static void meet_natives(const struct plan *plan, int is_held)
{
    struct plan astray = { .only_these = 1 };
    int was_first = slots_host_is_first;
    natives_note(plan);
    if (!natives_exist && !natives_are_below)
        return;
    slots_look_first();
    if (!slots_host_is_first || was_first)
        return;
    plan_led_astray(&astray);
    for (size_t i = 0; i < astray.count; i++)
        astray.tasks[i].is_held |= is_held;
    plan_carry_out(&astray);
}

void isolate_arrivals(void)
{
    struct plan plan = { .root = 0 };
    if (is_due()) {
        plan_make(&plan);
        meet_natives(&plan, 0);
        plan_carry_out(&plan);
        bind_changed_again();
    }
    tell_others();
}

/* Nothing is unloaded now: the dynamic linker keeps its lock while it loads the adapter for dlopen(), and never unloads
 * what it starts a program with. To hold an object by dlopen() would run its constructors, and those of what it needs,
 * ahead of their time: they may call MPI. */
void isolate_first_arrivals(void (*meet)(const char *path))
{
    struct plan plan = { .root = 0 };
    plan_make(&plan);
    for (size_t i = 0; i < plan.count; i++) {
        if (plan.tasks[i].owner == ARRIVED)
            meet(plan.tasks[i].path);
        plan.tasks[i].is_held = 1;
    }
    meet_natives(&plan, 1);
    plan_carry_out(&plan);
}

void isolate_sentinels(const struct sentinel *table, void (*loaded)(void))
{
    struct plan plan = { .only_these = 1 };
    loader_find(); /* the host may not have been loaded (start/refuse.h) */
    sentinels_add(table, loaded);
    if (fortran_copy_is_loading())
        return;
    plan_sentinels(&plan);
    plan_carry_out(&plan);
}

void isolate_each_arrival(void (*visit)(const char *path))
{
    struct known_object object;
    for (size_t i = 0; known_at(i, &object); i++)
        if (object.is.owner == ARRIVED && object.is.binding != NO_SLOTS)
            visit(object.path);
}
