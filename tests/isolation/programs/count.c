/* SPDX-License-Identifier: BSD-3-Clause */
/* gotswap_each_word() for a variant of slots.c: says at the end how often an object's slots were looked at. */
#include <stdio.h>

#include "process/linked.h"

int count_each_word(const gotswap_linked *object, int (*visit)(const gotswap_slot *slot, void *context), void *context);

static int count;

int count_each_word(const gotswap_linked *object, int (*visit)(const gotswap_slot *slot, void *context), void *context)
{
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    return gotswap_each_word(object, visit, context);
}

__attribute__((destructor)) static void report(void)
{
    fprintf(stderr, "looked at %d\n", count);
}
