/* SPDX-License-Identifier: BSD-3-Clause */
/* Staging: an array of handles or values, converted into a buffer on the stack, or on the heap
 * above STAGE_LOCAL elements. A null array stays null. If memory runs out the result is null, and
 * IS_LACKING() true. */
#ifndef STAGE_H
#define STAGE_H

#include "convert.h"
#include "convert/room.h"

/* Defines stage_class(), which stages an array of handles in `local`, an array of STAGE_LOCAL elements, or on the heap. */
#define DEFINE_STAGE(NAME, class)                                                                  \
    static inline host_##class *stage_##class(host_##class *local, const app_##class *handles, int count) \
    {                                                                                              \
        host_##class *staged = handles ? stage_room(local, count, sizeof *staged) : 0;             \
        for (int i = 0; staged && i < count; i++)                                                  \
            staged[i] = class##_to_host(handles[i]);                                               \
        return staged;                                                                             \
    }
HANDLE_CLASSES(DEFINE_STAGE)
#undef DEFINE_STAGE

/* Stages an array of values, each by `convert`. */
static inline int *stage_ints(int *local, const int *values, int count, int (*convert)(int))
{
    int *staged = values ? stage_room(local, count, sizeof *staged) : 0;
    for (int i = 0; staged && i < count; i++)
        staged[i] = convert(values[i]);
    return staged;
}

#endif
