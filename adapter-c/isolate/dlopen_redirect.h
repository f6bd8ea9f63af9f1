/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that opens its MPI by a path, or by a name without a version, gets the adapter: the dynamic linker would load a
 * second MPI beside it, or fail, as that needs libraries of which the adapter has the names. */
#ifndef DLOPEN_REDIRECT_H
#define DLOPEN_REDIRECT_H

/* Returns the path of the adapter's library in the place of a library of the application's MPI that `file` leads to, or
 * `file` itself. The path lasts until the thread's next call. */
const char *redirect(const char *file);

#endif
