/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs that test_conversions.py writes are made of. */
#ifndef CONVERSIONS_H
#define CONVERSIONS_H

#include <stdio.h>
#include <stdlib.h>

#include "adapter.h"

#define UNKNOWN (-123456)

static char fake[1024][64] __attribute__((aligned(64)));
static int ordinary;

/* What the adapter's own files need of each other when something goes wrong, which it must not. */
void complain(const char *format, ...) { puts(format); }
void give_up(const char *format, ...) { puts(format); exit(1); }

/* Gives every constant that is an address in the host an address of its own. */
static void fake_host(int standard)
{
    for (size_t i = 0; i < offsetof(struct host_addresses, end) / sizeof(void *); i++)
        ((void **)&host_address)[i] = fake[i + 1];
    predefined_prepare(standard);
}

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
