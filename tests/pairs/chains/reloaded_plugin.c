/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin of the host's: its slots must lead where the host's own do, and its calls must work. */
#include <mpi.h>

int plugin_run(MPI_Comm comm, int (*of_host)(MPI_Comm, int *));
int plugin_run(MPI_Comm comm, int (*of_host)(MPI_Comm, int *))
{
    int rank = -1, size = -1;
    if (of_host != PMPI_Comm_rank || PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS || MPI_Type_size(MPI_DOUBLE, &size) != MPI_SUCCESS)
        return MPI_ERR_OTHER;
    return rank == 0 && size == 8 ? MPI_SUCCESS : MPI_ERR_OTHER;
}
