/* SPDX-License-Identifier: BSD-3-Clause */
/* The smallest header that the scanner accepts. */
#ifndef TINY_MPI_H
#define TINY_MPI_H

#define MPI_VERSION 3
#define MPI_SUBVERSION 1

typedef int MPI_Comm;
#define MPI_COMM_WORLD ((MPI_Comm)0x84000000)

typedef struct MPI_Status { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;

int MPI_Barrier(MPI_Comm comm);
int PMPI_Barrier(MPI_Comm comm);

#endif
