/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the test programs: the first one that fails ends the program. */
#include "gotswap.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                  \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: %s; gotswap says: %s\n", __FILE__, __LINE__, #condition, \
                    gotswap_message());                                                   \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)
