/* SPDX-License-Identifier: BSD-3-Clause */
/* The host's pointers as 32-bit integers, for applications whose handles are integers.
 *
 * Address space is divided into regions of 1 GiB. The first 16 in which an object of the host's is
 * seen get a number; an object's handle is then 0xc0000000 + its place among the 16-byte units of
 * those regions. There is no table of live handles, nothing to free, and equal pointers are equal
 * handles. Predefined handles have other values in the two upper bits, so the test for a handle of
 * this kind is one comparison.
 *
 * Pointers that do not fit, because they lie in a 17th region or are not aligned to 16 bytes, get
 * the next of 200 million numbers from 0x80000000 on, once for each address: such handles cost a
 * lock, and a host that reuses addresses does not make the table grow. */
#ifndef COMPRESS_H
#define COMPRESS_H

#include "types.h"

#define COMPRESS_REGION_LOG2 30
#define COMPRESS_REGIONS 16
#define COMPRESS_SLOTS 64
#define COMPRESS_FIRST 0xc0000000u

/* By the lower 6 bits of a region's number, and by the upper 6 bits of a handle: the bias b of the
 * region, for which pointer = b + 16 * handle. Empty slots hold COMPRESS_EMPTY, or 0. */
extern HIDDEN intptr_t compress_regions[COMPRESS_SLOTS];
extern HIDDEN intptr_t compress_biases[64];
#define COMPRESS_EMPTY INTPTR_MIN

/* Gives a region a number, or a pointer one of its own. 0 if memory is lacking. */
COLD int32_t compress_slow(intptr_t pointer);

/* The pointer of a handle below COMPRESS_FIRST, or 0 if there is no such handle. */
COLD intptr_t expand_slow(int32_t handle);

INLINE int is_compressed(int32_t handle)
{
    return (uint32_t)handle >= COMPRESS_FIRST;
}

/* Rotated, a distance of 16 times a 32-bit handle has nothing in its upper half. Anything else
 * there means that the pointer is not aligned (its lower bits came round), that its region has no
 * number, or that another region has the slot: those are a multiple of 64 GiB away. */
INLINE int32_t compress_pointer(intptr_t pointer)
{
    const intptr_t *slot = &compress_regions[(pointer >> COMPRESS_REGION_LOG2) & (COMPRESS_SLOTS - 1)];
    uint64_t distance = (uint64_t)pointer - (uint64_t)__atomic_load_n(slot, __ATOMIC_RELAXED);
    uint64_t handle = distance >> 4 | distance << 60;
    return unlikely(handle >> 32) ? compress_slow(pointer) : (int32_t)handle;
}

/* For handles of which is_compressed() is true. */
INLINE intptr_t expand_handle(int32_t handle)
{
    return compress_biases[(uint32_t)handle >> 26] + ((intptr_t)(uint32_t)handle << 4);
}

#endif
