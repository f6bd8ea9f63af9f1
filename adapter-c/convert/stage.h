/* SPDX-License-Identifier: BSD-3-Clause */
/* Staging: an array of handles or values, converted into a buffer on the stack, or on the heap
 * above STAGE_LOCAL elements. A null array stays null. If memory runs out the result is null, and
 * IS_LACKING() true. convert.h has stage_CLASS() of each class of handles (templates/handle.c). */
#ifndef STAGE_H
#define STAGE_H

#include "convert/room.h"

/* Stages an array of values, each by `convert`. */
static inline int *stage_ints(int *local, const int *values, int count, int (*convert)(int))
{
    int *staged = values ? stage_room(local, count, sizeof *staged) : 0;
    for (int i = 0; staged && i < count; i++)
        staged[i] = convert(values[i]);
    return staged;
}

#endif
