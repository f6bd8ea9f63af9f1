/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent reduction whose operation was freed crashes when it is started. The request has to keep what it uses.
 *
 * of: Open MPI
 * ranks: 2
 * needs: MPI_Allreduce_init
 * section: MPI-4.1, 6.9.5 User-Defined Reduction Operations (MPI_OP_FREE); 2.5.1 Opaque Objects
 * expected: sum: 3
 * actual: ends
 */
#include <mpi.h>
#include <stdio.h>

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int rank, out, in = 0;
    MPI_Op sum;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(add, 1, &sum);
    MPI_Allreduce_init(&out, &in, 1, MPI_INT, sum, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Op_free(&sum);
    out = 1 + rank;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("sum: %d\n", in);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
