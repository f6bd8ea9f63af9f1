/* SPDX-License-Identifier: BSD-3-Clause */
#include "layers/lock.h"

#ifdef CHECK_LOCKS
#include <stdio.h>
#include <stdlib.h>

#define LOCK_NAME(NAME) #NAME,
static const char *const names[] = { LOCKS(LOCK_NAME) };

/* The locks that this thread holds, in the order in which it took them. */
enum { MOST_HELD = LOCK_COUNT + 1 };
static _Thread_local struct {
    enum lock_place places[MOST_HELD];
    int count;
} held;

static void refuse_order(enum lock_place place, enum lock_place outer)
{
    fprintf(stderr, "mpi-adapter: lock '%s' is taken while '%s' is held; take it first, or change the order in "
            "adapter-c/layers/lock.h\n", names[place], names[outer]);
    abort();
}

void lock_check_taken(enum lock_place place)
{
    for (int i = 0; i < held.count; i++)
        if (held.places[i] > place || (held.places[i] == place && place != LOCK_error_codes))
            refuse_order(place, held.places[i]);
    if (held.count < MOST_HELD)
        held.places[held.count++] = place;
}

void lock_check_released(enum lock_place place)
{
    int i = held.count;
    while (i > 0 && held.places[i - 1] != place)
        i--;
    if (i == 0)
        return;
    for (held.count--; i <= held.count; i++)
        held.places[i - 1] = held.places[i];
}
#endif
