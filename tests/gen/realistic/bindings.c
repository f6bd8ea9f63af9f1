/* SPDX-License-Identifier: BSD-3-Clause */
/* A Fortran library, in C: all manglings of one procedure, a sentinel, and what it imports. */
#include "mpi.h"

extern int opal_counter;
struct { int bottom, in_place; } mpipriv1_;

void mpi_send_(void) { opal_counter++; }
void mpi_send(void) { }
void mpi_send__(void) { }
void MPI_SEND(void) { }
void pmpi_send_(void) { PMPI_Send(0, 0, MPI_INT, 0, 0, MPI_COMM_WORLD); }
