/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi.h"

int PMPI_Barrier(MPI_Comm comm) { return comm != MPI_COMM_WORLD; }
#pragma weak MPI_Barrier = PMPI_Barrier
int internal_to_tiny(void) { return 0; }
