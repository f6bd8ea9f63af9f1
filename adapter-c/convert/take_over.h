/* SPDX-License-Identifier: BSD-3-Clause */
/* Procedures of ours in the places of the host's. */
#ifndef TAKE_OVER_H
#define TAKE_OVER_H

#include "host.h"

/* A member of the file's own `next`: the host's procedure as it was before. */
#define TAKEN(name) __typeof__(((struct host_procedures *)0)->name) name;

/* Must be held to take places once the adapter is loaded: of two threads that take one place, the second must find what the
 * first put there. No other lock may be taken meanwhile. */
void table_lock(void);
void table_unlock(void);

/* Puts `ours` in the place of a procedure. */
#define PUT_IN_PLACE(name, ours) __atomic_store_n(&host.name, ours, __ATOMIC_RELEASE)

/* The same, and `ours` finds the procedure in `next`. That is there before another thread can
 * call ours: it has to read first where the call leads. */
#define TAKE_OVER(name, ours)                                                                      \
    do {                                                                                           \
        next.name = host.name;                                                                     \
        PUT_IN_PLACE(name, ours);                                                                  \
    } while (0)

#endif
