/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries of the host that have names of the application's. An Open MPI that offers the standard ABI has them in
 * libopen_mpi.so.40, and the dynamic linker, asked for that name, would take the adapter's empty library of it. */
#ifndef NAMESAKE_H
#define NAMESAKE_H

/* Loads those that the host's library needs, by their paths, ahead of it: then they are found. `library` is what the
 * host's library is loaded by, a path or the name of a file. Returns how many. */
int namesakes_load(const char *library);

#endif
