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

/* A region by the lower bits of its number. bias: (pointer - bias) / 16 is the handle. */
struct compress_region {
    intptr_t number;
    intptr_t bias;
};
extern HIDDEN struct compress_region compress_regions[COMPRESS_SLOTS];

/* The bias by a handle's upper 6 bits; 0 where no region has that number. */
extern HIDDEN intptr_t compress_biases[64];

/* Gives a region a number, or a pointer one of its own. 0 if memory is lacking. */
COLD int32_t compress_slow(intptr_t pointer);

/* The pointer of a handle below COMPRESS_FIRST, or 0 if there is no such handle. */
COLD intptr_t expand_slow(int32_t handle);

static inline int is_compressed(int32_t handle)
{
    return (uint32_t)handle >= COMPRESS_FIRST;
}

static inline int32_t compress(intptr_t pointer)
{
    const struct compress_region *region =
        &compress_regions[(pointer >> COMPRESS_REGION_LOG2) & (COMPRESS_SLOTS - 1)];
    if (unlikely(__atomic_load_n(&region->number, __ATOMIC_ACQUIRE) != pointer >> COMPRESS_REGION_LOG2) ||
        unlikely(pointer & 15))
        return compress_slow(pointer);
    return (int32_t)((pointer - region->bias) >> 4);
}

/* For handles of which is_compressed() is true. */
static inline intptr_t expand(int32_t handle)
{
    return compress_biases[(uint32_t)handle >> 26] + ((intptr_t)(uint32_t)handle << 4);
}

#endif
