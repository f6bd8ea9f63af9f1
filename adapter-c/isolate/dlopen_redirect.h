/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that opens its MPI by a path, or by a name without a version, gets the adapter. Otherwise the dynamic linker
 * would load a second MPI beside the adapter, or fail, because that MPI needs libraries whose names the adapter has. */
#ifndef DLOPEN_REDIRECT_H
#define DLOPEN_REDIRECT_H

/* Returns the path of the adapter's library if `file` leads to a library of the application's MPI; else `file` itself,
 * which may be null. The path lasts until the thread's next call. */
const char *redirect(const char *file);

#endif
