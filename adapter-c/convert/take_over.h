/* SPDX-License-Identifier: BSD-3-Clause */
/* Procedures of ours in the places of the host's. */
#ifndef TAKE_OVER_H
#define TAKE_OVER_H

#include "host.h"

/* A member of the file's own `next`: the host's procedure as it was before. */
#define TAKEN(name) __typeof__(((struct host_procedures *)0)->name) name;

/* `ours` takes the place of a procedure, which it finds in `next`. That is there before another thread can
 * call ours: it has to read first where the call leads. */
#define TAKE_OVER(name, ours)                                                                      \
    do {                                                                                           \
        next.name = host.name;                                                                     \
        __atomic_store_n(&host.name, ours, __ATOMIC_RELEASE);                                      \
    } while (0)

#endif
