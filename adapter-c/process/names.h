/* SPDX-License-Identifier: BSD-3-Clause */
/* The names by which objects need the application's MPI: those of the tables, and a vendor's or a copy's that the
 * mpi-adapter command found in the program and passes in MPI_ADAPTER_NAMES. */
#ifndef NAMES_H
#define NAMES_H

#include "process/linked.h"

/* Returns whether the object was linked against the application's MPI. */
int needs_application(const gotswap_linked *object);

/* Returns whether it was linked by a name that the command told. Libraries of the host's MPI may have that name, too. */
int needs_told_name(const gotswap_linked *object);

#endif
