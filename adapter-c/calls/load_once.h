/* SPDX-License-Identifier: BSD-3-Clause */
/* The load of the host's library: by the adapter's constructor, or by a call that comes before it. */
#ifndef LOAD_ONCE_H
#define LOAD_ONCE_H

#include "convert/types.h"

/* Loads the host's library unless that was done. Waits if another thread does it. Returns at once if it is called within the
 * load. Called ahead of the conversion of arguments by what initializes MPI. */
HIDDEN void load_once(void);

/* Returns whether the calling thread is within the load, and may hold any lock of the adapter's. */
HIDDEN int load_is_here(void);

#endif
