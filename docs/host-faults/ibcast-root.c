/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Ibcast on an intercommunicator delivers nothing if its root is another rank than 0.
 *
 * of: MPICH
 * section: MPI-4.1, 6.12.2 Nonblocking Broadcast
 * ranks: 4
 * expected: 7 7
 * actual: -1 -1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, is_low, value = -1, first = 0;
    MPI_Comm half, others;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    is_low = rank < 2;
    MPI_Comm_split(MPI_COMM_WORLD, is_low, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_low ? 2 : 0, 1, &others);
    if (rank == 1)
        value = 7;
    MPI_Ibcast(&value, 1, MPI_INT, !is_low ? 1 : rank == 1 ? MPI_ROOT : MPI_PROC_NULL, others, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Reduce(&value, &first, 1, MPI_INT, MPI_MIN, 1, half);
    if (rank == 3)
        printf("%d %d\n", first, value);
    MPI_Comm_free(&others);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
