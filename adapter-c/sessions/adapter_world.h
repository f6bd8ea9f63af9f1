/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator beside the program's, through which processes send each other what no receive of the program's may
 * match, and what tells its communicators apart there: a number that all processes of a communicator give it without
 * asking each other.
 *
 * Only a collective call makes a communicator, and procedures that need this one are local (MPI_Psend_init). It is
 * made when MPI is initialized, if what has been loaded by then mentions one of them, and the launcher was given
 * one program: then all processes find the same, unless a script chooses what each of them starts. */
#ifndef ADAPTER_WORLD_H
#define ADAPTER_WORLD_H

#include <stdint.h>

#include "host.h"

int adapter_world_is_made(void);

/* The communicator, whose errors are returned. */
host_comm adapter_world(void);

/* The number of a communicator, or 0 for one that came about with processes of other worlds. */
uint64_t adapter_world_number(host_comm comm);

/* The rank in adapter_world() of a process that has this rank for those who send to it in `comm`; MPI_UNDEFINED if it is
 * of another world. MPI_PROC_NULL stays as it is. */
int adapter_world_rank(host_comm comm, int rank);

/* Makes it if it is needed. To be called when MPI has been initialized. */
void adapter_world_begin(void);

#endif
