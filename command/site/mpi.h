/* SPDX-License-Identifier: BSD-3-Clause */
/* An MPI of the site, as `mpi-adapter build` is given it: its header, its library and its launcher. Nothing of it is compiled or run but
 * `mpicc -show`. */
#ifndef SITE_MPI_H
#define SITE_MPI_H

#include "site.h"

struct site_mpi {
    const char *prefix;
    const char *compiler;       /* its mpicc, "" if it has none */
    const char *header;         /* its mpi.h, "" if it has none */
    const char *library, *family;
    const char *implementation; /* whose mpi.h is, or "" */
    const char *product;        /* as people call it, with its release */
    const char *release;        /* of the family's table: 4.2.1, or "" */
    const char *name;           /* how pairs for it are told apart: 4.2.1, VENDOR-2021.11 */
    struct list shows;          /* the words of mpicc -show */
};

/* Finds the MPI of a prefix, or of a compiler; with an ABI that is not "", its library of that. */
struct problem *find_site_mpi(const struct site *site, const char *given, const char *abi, struct site_mpi *mpi);

/* Returns the names of launchers that come into question for a pair of the host's, beside the compiler or in the prefix. */
struct list site_launchers(const struct site_mpi *mpi, const char *launchers);

#endif
