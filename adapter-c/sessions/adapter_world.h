/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator beside the program's, for messages that no receive of the program's may match. The program's communicators
 * are told apart there by numbers, on which the processes of a communicator agree when they make it.
 *
 * Only a collective call makes a communicator, and procedures that need this one are local (MPI_Psend_init). So it is made
 * when MPI is initialized, if an object that is loaded by then mentions one of them and the launcher was given one program.
 * Then all processes decide alike, unless a script chooses what each of them starts. */
#ifndef ADAPTER_WORLD_H
#define ADAPTER_WORLD_H

#include <stdint.h>

#include "host.h"

/* Returns whether the communicator exists. */
int adapter_world_is_made(void);

/* Returns the communicator. Its error handler is MPI_ERRORS_RETURN. */
host_comm adapter_world(void);

/* Returns the number of a communicator; 0 for one that has processes of other worlds. */
uint64_t adapter_world_number(host_comm comm);

/* Returns the rank in adapter_world() of the process that a send to `rank` in `comm` reaches; MPI_UNDEFINED if it is of
 * another world, MPI_PROC_NULL for MPI_PROC_NULL. */
int adapter_world_rank(host_comm comm, int rank);

/* Makes the communicator if it is needed. To be called when MPI has been initialized. */
void adapter_world_begin(void);

#endif
