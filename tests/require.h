/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs that test one thing: the first condition that does not hold ends the process, at once. */
#ifndef REQUIRE_H
#define REQUIRE_H

#include <stdio.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

#endif
