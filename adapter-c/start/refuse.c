/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/refuse.h"

#include <stdlib.h>
#include <string.h>

#include "convert/say.h"
#include "layers/layers.h"
#include "process/environment.h"
#include "process/linked.h"

/* ---- when ---- */

/* Part of a program that is being started: what it needs, and whether the adapter is there. */
struct start {
    const gotswap_list *list;
    char *marks; /* of objects that were reached: 1, and 2 if what they need was, too */
    int has_adapter;
};

static void reach_object(struct start *start, size_t index)
{
    const gotswap_linked *object = &start->list->objects[index];
    start->marks[index] |= 1;
    start->has_adapter |= (const void *)&host >= object->base && (const void *)&host < object->end;
}

static void reach_named(struct start *start, const char *name)
{
    for (size_t i = 0; i < start->list->count; i++)
        if (linked_is_named(&start->list->objects[i], name))
            reach_object(start, i);
}

/* Reaches what one object needs. Returns 0 if there is none left of which that was not looked at. */
static int reach_on(struct start *start)
{
    size_t at = 0, needed = 0;
    const char *name;
    while (at < start->list->count && start->marks[at] != 1)
        at++;
    if (at == start->list->count)
        return 0;
    for (start->marks[at] = 2; (name = gotswap_string(&start->list->objects[at], DT_NEEDED, needed)); needed++)
        reach_named(start, name);
    return 1;
}

static void reach_preloaded(struct start *start)
{
    const char *setting = environment_setting("LD_PRELOAD");
    char *names = setting ? strdup(setting) : 0, *rest = names, *name;
    while (rest && (name = strsep(&rest, ": ")))
        if (*name)
            reach_named(start, name);
    free(names);
}

static void look_through(const gotswap_list *list, void *context)
{
    struct start start = { .list = list, .marks = calloc(1, list->count + 1) };
    if (start.marks && list->count > 0) {
        reach_object(&start, 0);
        reach_preloaded(&start);
        while (reach_on(&start))
            ;
    }
    free(start.marks);
    *(int *)context = !start.has_adapter;
}

static int is_late(void)
{
    int is_absent = 0;
    linked_look(look_through, &is_absent);
    return is_absent;
}

/* ---- how ---- */

static const char *reason;

static int refuse_call(void)
{
    give_up_with(reason);
}

static int is_not(int *flag)
{
    *flag = 0;
    return 0;
}

void refuse(const char *line)
{
    LAYER_PART_OF_ALL(part);
    if (!is_late())
        give_up_with(line);
    reason = line;
    for (int i = 0; i < HOST_PROCEDURES; i++) {
        int is_enquiry = i == PROCEDURE_NUMBER(MPI_Initialized) || i == PROCEDURE_NUMBER(MPI_Finalized);
        mpi_function *answer = is_enquiry ? (mpi_function *)is_not : (mpi_function *)refuse_call;
        layer_install(LAYER_REFUSAL, &part.head, LAYER_LINKS(part), &(struct override){ answer, &part.link[i], i }, 1);
    }
}
