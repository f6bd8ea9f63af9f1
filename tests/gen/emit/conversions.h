/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros for the programs that test_conversions.py writes. */
#ifndef CONVERSIONS_H
#define CONVERSIONS_H

#include <stdlib.h>

#include "convert/adapter.h"
#include "check.h"

static char fake[1024][64] __attribute__((aligned(64)));
static int ordinary;

/* Stand-ins for functions that the adapter's own files call when something goes wrong, which must not happen. */
void complain(const char *format, ...) { puts(format); }
void give_up(const char *format, ...) { puts(format); exit(1); }
void give_up_memory(const char *when) { puts(when); exit(1); }

/* Gives every constant that is an address in the host an address of its own. */
static void fake_host(int standard)
{
    for (size_t i = 0; i < offsetof(struct host_addresses, end) / sizeof(void *); i++)
        ((void **)&host_address)[i] = fake[i + 1];
    predefined_prepare(standard);
}

#endif
