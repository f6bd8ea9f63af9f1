/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin of the program's that looks for a symbol itself, and calls MPI. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

int cycle_run(void)
{
    int (*comm_rank)(MPI_Comm, int *) = (int (*)(MPI_Comm, int *))dlsym(RTLD_DEFAULT, "MPI_Comm_rank");
    int rank = -1, size = -1;
    return !comm_rank || comm_rank(MPI_COMM_WORLD, &rank) != 0 || MPI_Comm_size(MPI_COMM_WORLD, &size) != 0 || rank != 0 ||
           size != 1;
}
