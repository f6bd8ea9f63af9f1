/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A profiling tool: counts calls and passes them on to the profiling interface. */
#include <mpi.h>

int tool_sends, tool_inits, tool_ranks;

int MPI_Init(int *argc, char ***argv)
{
    tool_inits++;
    return PMPI_Init(argc, argv);
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm)
{
    int size = 0;
    if (PMPI_Type_size(type, &size) != MPI_SUCCESS || size <= 0)
        return MPI_ERR_TYPE;
    tool_sends++;
    return PMPI_Send(buffer, count, type, target, tag, comm);
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    tool_ranks++;
    return PMPI_Comm_rank(comm, rank);
}
