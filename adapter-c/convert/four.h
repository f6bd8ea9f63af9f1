/* SPDX-License-Identifier: BSD-3-Clause */
/* Four 32-bit or twice two 64-bit numbers at once, for arrays of handles. */
#ifndef FOUR_H
#define FOUR_H

#include <string.h>

#include "convert/types.h"

typedef int32_t four_ints __attribute__((vector_size(16)));
typedef int64_t two_longs __attribute__((vector_size(16)));
typedef uint64_t two_ulongs __attribute__((vector_size(16)));

#define FOUR(number) ((four_ints){ (number), (number), (number), (number) })
#define TWO(number) ((two_longs){ (number), (number) })

/* Loads four numbers, at any alignment. */
INLINE four_ints load_four(const void *from)
{
    four_ints loaded;
    memcpy(&loaded, from, sizeof loaded);
    return loaded;
}

/* Stores four numbers, at any alignment. */
INLINE void store_four(void *to, four_ints stored)
{
    memcpy(to, &stored, sizeof stored);
}

/* Returns the lower halves of four 64-bit numbers. */
INLINE four_ints lower_halves(four_ints one, four_ints other)
{
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a number's lower half comes first");
    return __builtin_shuffle(one, other, (four_ints){ 0, 2, 4, 6 });
}

/* Returns their upper halves. */
INLINE four_ints upper_halves(four_ints one, four_ints other)
{
    return __builtin_shuffle(one, other, (four_ints){ 1, 3, 5, 7 });
}

/* Compares each of four 64-bit numbers with `number`, which holds it twice: all bits of a result are set if they are equal. */
INLINE four_ints equal_halves(four_ints one, four_ints other, four_ints number)
{
    one = one == number;
    other = other == number;
    return lower_halves(one, other) & upper_halves(one, other);
}

/* Returns whether all four are negative, as a comparison's true results are. */
INLINE int all_true(four_ints found)
{
#if defined __SSE2__
    typedef float four_floats __attribute__((vector_size(16)));
    return __builtin_ia32_movmskps((four_floats)found) == 15;
#else
    const uint64_t signs = 0x8000000080000000u;
    two_ulongs halves = (two_ulongs)found;
    return (halves[0] & halves[1] & signs) == signs;
#endif
}

#endif
