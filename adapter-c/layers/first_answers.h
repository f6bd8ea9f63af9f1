/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of MPI that come before the host's library is loaded: from .preinit_array, from a constructor that runs ahead of the
 * adapter's, from a tool that asks whenever memory is allocated or a file is opened, or from another thread meanwhile. */
#ifndef FIRST_ANSWERS_H
#define FIRST_ANSWERS_H

/* The function that loads the host's library, and does nothing if that was done. It is in a room above, and nobody could pass it down
 * before the first constructor runs: that room defines this variable. */
extern __attribute__((visibility("hidden"))) void (*host_loader)(void);

#endif
