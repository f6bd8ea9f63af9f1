/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "isolate/isolate.h"

#include "isolate/fortran_copy.h"
#include "isolate/host_names.h"
#include "isolate/known.h"
#include "isolate/pass.h"
#include "isolate/sentinels.h"
#include "isolate/slots.h"
#include "process/loader.h"

static void run(struct pass pass)
{
    pass_plan(&pass);
    pass_carry_out(&pass);
}

static const ElfW(Dyn) *root_of(void *handle)
{
    const struct link_map *map = handle ? linked_map(handle) : 0;
    return map && map->l_name[0] ? map->l_ld : 0;
}

void isolate_host(void *handle, const struct host_loading *loading)
{
    loader_find();
    slots_start(handle);
    host_names_start(handle);
    pass_host_isolates = loading->is_adapter;
    pass_host_has_namesakes = loading->namesakes > 0;
    run((struct pass){ .root = root_of(handle), .window = loading->is_adapter || loading->namesakes > 0 ? loading->window : 0,
                       .only_these = 1, .is_lasting = 1 });
}

void isolate_tool(void *handle, const struct window *window)
{
    run((struct pass){ .root = root_of(handle), .window = window, .is_tool = 1, .only_these = 1 });
}

/* Nothing is to be done if nothing was loaded since the last time, and the host had this object before. */
static void isolate_needed(void *handle, const struct window *window)
{
    struct object known;
    const ElfW(Dyn) *root = root_of(handle);
    if (pass_is_due() || (root && !known_find(root, &known)))
        run((struct pass){ .root = root, .window = window });
}

void isolate_opened(void *handle, const struct window *window)
{
    isolate_needed(handle, window);
}

void isolate_within(const struct window *window)
{
    run((struct pass){ .window = window });
}

void isolate_used(void *handle)
{
    isolate_needed(handle, 0);
}

void isolate_arrivals(void)
{
    if (pass_is_due())
        run((struct pass){ .root = 0 });
}

/* Nothing is unloaded now: the dynamic linker keeps its lock while it loads the adapter for dlopen(), and never unloads
 * what it starts a program with. To hold an object by dlopen() would run its constructors, and those of what it needs,
 * ahead of their time: they may call MPI. */
void isolate_first_arrivals(void (*meet)(const char *path))
{
    struct pass pass = { .root = 0 };
    pass_plan(&pass);
    for (size_t i = 0; i < pass.count; i++) {
        if (pass.tasks[i].action == BIND && pass.tasks[i].is_arrival)
            meet(pass.tasks[i].path);
        pass.tasks[i].is_held = 1;
    }
    pass_carry_out(&pass);
}

void isolate_sentinels(const struct sentinel *table, void (*loaded)(void))
{
    struct pass pass = { .only_these = 1 };
    loader_find(); /* the host may not have been loaded (start/refuse.h) */
    sentinels_add(table, loaded);
    if (fortran_copy_is_loading())
        return;
    pass_plan_sentinels(&pass);
    pass_carry_out(&pass);
}

void isolate_each_arrival(void (*visit)(const char *path))
{
    struct object object;
    for (size_t i = 0; known_at(i, &object); i++)
        if (object.path && object.is_arrival)
            visit(object.path);
}
