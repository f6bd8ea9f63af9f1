/* SPDX-License-Identifier: BSD-3-Clause */
/* The host's pointers as 32-bit integers, for applications whose handles are integers.
 *
 * A region is 1 GiB of address space. The first region in which the adapter sees an object of the host's
 * is number 0, the next one is number 1, and so on up to 15. A region has 2^26 units of 16 bytes, and an
 * object's handle is 0xc0000000 + (region's number << 26) + the object's unit. For example, the object
 * 0x40 bytes behind the start of region 1 has the handle 0xc4000004. No table of live handles exists, no
 * handle is ever freed, and equal pointers have equal handles. All other handles have other upper bits,
 * so one comparison tells a compressed handle.
 *
 * Some hosts have 32-bit integers behind their pointers, whose upper halves are then all ones or zero: all
 * such pointers but multiples of 16 below 4 GiB, which are addresses. The integers with the same upper 6 bits
 * are a range. The first one that the adapter sees in a class of handles gets the handles from 0x90000000
 * on, the next one those from 0x94000000 on, and so on up to 12, each with the integers' lower 26 bits. One
 * class's ranges are nothing to another's. These handles cost no lock either.
 *
 * A pointer in a 17th region, one of a 13th range, or an address that is no multiple of 16 gets a number:
 * 0x80000000 for the first such pointer, then the next, up to 200 million. A pointer keeps its number for
 * good. These handles cost a lock.
 *
 * Threads read hints and biases without a lock, and nothing orders these loads. That is right where loads and
 * stores may pass one another, too:
 * - A bias is written once, in place of COMPRESS_EMPTY, and read as a whole.
 * - Which handle a pointer has depends on no hint. One that is taken from a hint and a bias is taken only if its
 *   upper bits say that the pointer is in the bias's region: a new hint beside a bias that is not seen yet, like
 *   any wrong guess, leads to compress_elsewhere(), and what that does not find either is looked for under the lock.
 * - A thread that has a handle sees its bias in compress_biases. Whoever made the handle read the bias there; or
 *   wrote it, or held the lock after that; or found it in compress_regions, where it is released to whoever
 *   acquires it after it was written to compress_biases. From there the program hands the handle on by something
 *   that orders memory, as it must for the object's sake, and later loads of a word never find less. So
 *   expand_four() may trust a hint that equals the upper bits of handles that its caller has. */
#ifndef COMPRESS_H
#define COMPRESS_H

#include "convert/four.h"

#define COMPRESS_REGION_LOG2 30
#define COMPRESS_REGIONS 16
#define COMPRESS_BUCKETS 64
#define COMPRESS_FIRST 0xc0000000u
#define COMPRESS_RANGES 12
#define COMPRESS_RANGE_LOG2 26
#define COMPRESS_INTEGERS (COMPRESS_FIRST - ((uint32_t)COMPRESS_RANGES << COMPRESS_RANGE_LOG2))

/* By the lower 6 bits of a region's number, and by the upper 6 bits of a handle: the bias b of the
 * region, for which pointer = b + 16 * handle. Where there is no region, they hold COMPRESS_EMPTY, which
 * makes that sum negative. */
extern HIDDEN intptr_t compress_regions[COMPRESS_BUCKETS];
extern HIDDEN intptr_t compress_biases[64];
#define COMPRESS_EMPTY INTPTR_MIN

/* By class of handles, the upper 6 bits of the handles of a region in which its objects are: a guess,
 * which saves looking for the region. */
#define COMPRESS_CLASSES 16
extern HIDDEN uint32_t compress_hints[COMPRESS_CLASSES];

/* The handle of a pointer in another region than the hint's; 0 if memory is lacking. */
COLD int32_t compress_elsewhere(intptr_t pointer, int handle_class);

/* The pointer of a handle of the class below COMPRESS_FIRST, or 0 if there is no such handle. */
COLD intptr_t expand_slow(int32_t handle, int handle_class);

INLINE int is_compressed(int32_t handle)
{
    return (uint32_t)handle >= COMPRESS_FIRST;
}

/* A handle, if the pointer is in the region of the bias and aligned; else its upper bits are not those
 * of the region's handles, for a distance's lower bits come round. */
INLINE uint64_t compressed_from(intptr_t pointer, intptr_t bias)
{
    uint64_t distance = (uint64_t)pointer - (uint64_t)bias;
    return distance >> 4 | distance << 60;
}

INLINE intptr_t hinted_bias(uint32_t hint)
{
    return __atomic_load_n(&compress_biases[hint], __ATOMIC_RELAXED);
}

INLINE uint32_t compress_hint(const int handle_class)
{
    return __atomic_load_n(&compress_hints[handle_class], __ATOMIC_RELAXED);
}

INLINE int32_t compress_pointer(intptr_t pointer, const int handle_class)
{
    const uint32_t hint = compress_hint(handle_class);
    uint64_t handle = compressed_from(pointer, hinted_bias(hint));
    return unlikely(handle >> 26 != hint) ? compress_elsewhere(pointer, handle_class) : (int32_t)handle;
}

/* The pointer of a handle, of any: is_pointer() tells if there is such a region. */
INLINE intptr_t expand_handle(int32_t handle)
{
    intptr_t number = (uint32_t)handle;
    return (number << 4) + compress_biases[number >> 26];
}

INLINE int is_pointer(intptr_t expanded)
{
    return expanded >= 0;
}

/* The handle again, where there is no such region: nobody needs to keep it meanwhile. */
INLINE int32_t unexpanded(intptr_t expanded)
{
    return (int32_t)(expanded >> 4);
}

/* What four handles at once are converted with, read once for an array: a hint and its bias. */
struct compress_four {
    four_ints hint;
    two_longs bias;
};

INLINE struct compress_four compress_four(const int handle_class)
{
    const uint32_t hint = compress_hint(handle_class);
    return (struct compress_four){ FOUR((int32_t)hint), TWO(hinted_bias(hint)) };
}

/* Zero if they are not all in the hint's region: then nothing is done. */
INLINE int expand_four(struct compress_four four, intptr_t *pointers, const int32_t *handles)
{
    const four_ints found = load_four(handles), zero = FOUR(0);
    if (unlikely(!all_true((four_ints)((four_uints)found >> 26) == four.hint)))
        return 0;
    store_two(pointers, four.bias + ((two_longs)__builtin_shuffle(found, zero, (four_ints){ 0, 4, 1, 5 }) << 4));
    store_two(pointers + 2, four.bias + ((two_longs)__builtin_shuffle(found, zero, (four_ints){ 2, 6, 3, 7 }) << 4));
    return 1;
}

INLINE two_ulongs compressed_two(struct compress_four four, const intptr_t *pointers)
{
    two_ulongs distance = (two_ulongs)(load_two(pointers) - four.bias);
    return distance >> 4 | distance << 60;
}

/* The same. */
INLINE int shrink_four(struct compress_four four, int32_t *handles, const intptr_t *pointers)
{
    const four_ints top = __builtin_shuffle(four.hint, FOUR(0), (four_ints){ 0, 4, 0, 4 });
    two_ulongs one = compressed_two(four, pointers), other = compressed_two(four, pointers + 2);
    if (unlikely(!all_true(((four_ints)(one >> 26) == top) & ((four_ints)(other >> 26) == top))))
        return 0;
    store_four(handles, lower_halves((four_ints)one, (four_ints)other));
    return 1;
}

#endif
