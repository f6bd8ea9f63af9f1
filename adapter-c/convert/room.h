/* SPDX-License-Identifier: BSD-3-Clause */
/* Room for a call's arrays: on the stack, or on the heap above STAGE_LOCAL elements. */
#ifndef ROOM_H
#define ROOM_H

#include <stdlib.h>

#include "convert/types.h"

#define STAGE_LOCAL 64

/* Returns room for `count` elements of `size` bytes: `local`, which has STAGE_LOCAL of them, or memory from the heap.
 * Returns null if memory runs out. */
static inline void *stage_room(void *local, int count, size_t size)
{
    if (likely(local != 0 && count <= STAGE_LOCAL))
        return local;
    return malloc(count > 0 ? (size_t)count * size : 1);
}

/* True if memory ran out for what stands in for an array; a null array stays null. */
#define IS_LACKING(staged, array) (!(staged) && (array))

/* Frees the room unless it is `local`. */
static inline void unstage(void *staged, void *local)
{
    if (unlikely(staged != local))
        free(staged);
}

#endif
