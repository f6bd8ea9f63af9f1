/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that print what is wrong. */
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>
#include <stdio.h>

#define UNKNOWN (-123456)

static void check(const char *what, intptr_t got, int count, const intptr_t *wanted)
{
    for (int i = 0; i < count; i++)
        if (got == wanted[i])
            return;
    printf("%s is %jd instead of %jd\n", what, (intmax_t)got, (intmax_t)wanted[0]);
}

/* `got` is one of the values that follow. */
#define SAME(got, ...)                                                                             \
    check(#got, (intptr_t)(got), sizeof((intptr_t[]){ __VA_ARGS__ }) / sizeof(intptr_t), (intptr_t[]){ __VA_ARGS__ })

#endif
