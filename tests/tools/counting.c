/* SPDX-License-Identifier: BSD-3-Clause */
/* A profiling tool: counts what it sees, asks PMPI about the handles that it is given, and calls the
 * procedures that it wraps itself. At MPI_Finalize each process prints one line on stderr. FAILING is
 * an error that the tool finds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef TOOL
#define TOOL "tool"
#endif

static int sends, receives, bytes, barriers, ranks, ops, wrong, inits;

static int size_of(MPI_Datatype type)
{
    int size = -1;
    if (PMPI_Type_size(type, &size) != MPI_SUCCESS || (type == MPI_INT && size != (int)sizeof(int)))
        wrong++;
    return size;
}

int MPI_Init(int *argc, char ***argv)
{
    inits++;
    return PMPI_Init(argc, argv);
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm)
{
    int rank = -1;
    sends++;
    bytes += count * size_of(type);
    MPI_Comm_rank(comm, &rank); /* our own, below */
    return PMPI_Send(buffer, count, type, target, tag, comm);
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    int rc = PMPI_Recv(buffer, count, type, source, tag, comm, &own);
    receives++;
    wrong += own.MPI_TAG < 0 || own.MPI_SOURCE < 0;
    if (status != MPI_STATUS_IGNORE)
        *status = own;
    return rc;
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    ops += op == MPI_SUM && in == MPI_IN_PLACE;
    return PMPI_Allreduce(in, out, count, type, op, comm);
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    ranks++;
    return PMPI_Comm_rank(comm, rank);
}

int MPI_Barrier(MPI_Comm comm)
{
    barriers++;
    return PMPI_Barrier(comm);
}

int MPI_Finalize(void)
{
    int rank = -1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "%s of rank %d: %d init, %d sends of %d bytes, %d receives, %d sums, %d barriers, %d ranks, %d wrong\n",
            TOOL, rank, inits, sends, bytes, receives, ops, barriers, ranks, wrong);
    return PMPI_Finalize();
}
