/* SPDX-License-Identifier: BSD-3-Clause */
/* Namesakes: libraries of the host that have names of the application's. An Open MPI that offers the standard ABI needs
 * libopen_mpi.so.40, and the dynamic linker would take the adapter's empty library of that name. */
#ifndef NAMESAKE_H
#define NAMESAKE_H

/* Loads the namesakes that the host's library needs, by their paths and ahead of it, so that they are found. `library` is
 * the path or file name by which the host's library is going to be loaded. Returns how many it loaded. */
int namesakes_load(const char *library);

#endif
