/* SPDX-License-Identifier: BSD-3-Clause */
/* linked_each_slot() for a variant of slots.c: says at the end how often an object's slots were looked at. */
#include <stdio.h>

#include "process/linked.h"

int count_each_slot(const struct linked *object, int (*visit)(const struct linked_slot *slot, void *context), void *context);

static int count;

int count_each_slot(const struct linked *object, int (*visit)(const struct linked_slot *slot, void *context), void *context)
{
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    return linked_each_slot(object, visit, context);
}

__attribute__((destructor)) static void report(void)
{
    fprintf(stderr, "looked at %d\n", count);
}
