/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Ialltoallw with MPI_IN_PLACE leaves wrong values in the buffer, and says nothing. MPI_Alltoallw is right.
 *
 * of: MPICH
 * ranks: 2
 * section: MPI-4.1, 6.12.6 Nonblocking All-to-All Scatter/Gather
 * expected: wrong values: 0
 * actual: wrong values: 1 | wrong values: 2
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, counts[2] = { 1, 1 }, displacements[2], values[5], wrong = 0, at = 0;
    MPI_Datatype types[2];
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int peer = 0; peer < 2; peer++) {
        displacements[peer] = at * (int)sizeof(int);
        MPI_Type_contiguous(1 + rank + peer, MPI_INT, &types[peer]);
        MPI_Type_commit(&types[peer]);
        for (int end = at + 1 + rank + peer; at < end; at++)
            values[at] = rank;
    }
    MPI_Ialltoallw(MPI_IN_PLACE, NULL, NULL, NULL, values, counts, displacements, types, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < at; i++)
        wrong += values[i] != (i >= 1 + rank);
    if (rank == 0)
        printf("wrong values: %d\n", wrong);
    MPI_Type_free(&types[0]);
    MPI_Type_free(&types[1]);
    MPI_Finalize();
    return 0;
}
