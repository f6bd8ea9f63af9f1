/* SPDX-License-Identifier: BSD-3-Clause */
/* Implementations of MPI (abi-tables/implementations), and which of them the host is: a library of one
 * ABI may be one or the other's. */
#ifndef IMPLEMENTATION_H
#define IMPLEMENTATION_H

struct implementation {
    int place;           /* among those that the host's family may be, from 1; else 0 */
    const char *version; /* what MPI_Get_library_version says of it alone */
    const char *called;  /* its launcher, in messages */
    const char *rank, *size;
    const char *programs; /* or null */
    const char *slurm;
    const char *spawn_environment; /* or null */
    const char *spawn_command;     /* or null */
    const char *const *launchers;  /* ends with a null pointer */
};

/* The host's; the likeliest if the host does not say that it is another. */
const struct implementation *implementation(void);

/* All of them, by number; null after the last. */
const struct implementation *implementation_at(int number);

#endif
