/* SPDX-License-Identifier: BSD-3-Clause */
/* The names by which objects need the application's MPI: those of the tables, and a vendor's or a copy's that the
 * mpi-adapter command found in the program and passes in MPI_ADAPTER_NAMES. */
#ifndef NAMES_H
#define NAMES_H

#include "process/linked.h"

/* Writes the name that a library had before a Python wheel took it in: libmpi.so.40 of libmpi-617ed1d0.so.40, which has eight digits
 * of a checksum ahead of its first dot. Returns 0 for other names, and for one that has no room. */
int unbundled_name(const char *name, char *plain, size_t size);

/* Shortens libmpi.so.40.30.4 to the longest name that is one of the application's; returns 0 if none is. */
int shorten_to_soname(char *name);

/* Returns whether a library has a name of the application's, or a wheel's of one. */
int is_application_name(const char *name);

/* Returns whether the object was linked against the application's MPI. */
int needs_application(const gotswap_linked *object);

/* Returns whether it was linked by a name that the command told. Libraries of the host's MPI may have that name, too. */
int needs_told_name(const gotswap_linked *object);

#endif
