/* SPDX-License-Identifier: BSD-3-Clause */
/* How a workaround takes the place of a host's procedure: for adapter-c/start alone. */
#ifndef HOST_PLACE_H
#define HOST_PLACE_H

#include "host.h"

/* The host's procedures themselves. */
extern HIDDEN struct host_procedures host_original;

/* Puts `workaround` into a procedure's place; not where the host lacks it, for what stands in calls
 * others by the table. */
#define TAKE_PLACE(name, workaround)                                                               \
    do {                                                                                           \
        if ((mpi_function *)host.name !=                                                           \
            host_stand_in(offsetof(struct host_procedures, name) / sizeof(mpi_function *)))        \
            host.name = workaround;                                                                \
    } while (0)

/* Windows that the host takes to begin at another address (shifted_window.c). */
void shifted_window_work_around(int standard);

#endif
