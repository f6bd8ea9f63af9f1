/* SPDX-License-Identifier: BSD-3-Clause */
/* After MPI_Ibcast with no elements at MPI_PROC_NULL, where they mean nothing, the intercommunicator's next operation never ends.
 *
 * of: Open MPI, MPICH
 * section: MPI-4.1, 6.4 Broadcast
 * ranks: 3
 * expected: 1
 * actual: hangs
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, is_low, value = 1, root, out[2] = { 1, 1 }, in[2] = { 0 };
    MPI_Comm half, others;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    is_low = rank < 2;
    MPI_Comm_split(MPI_COMM_WORLD, is_low, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_low ? 2 : 0, 1, &others);
    root = !is_low ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Ibcast(&value, root != MPI_PROC_NULL, MPI_INT, root, others, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ialltoall(out, 1, MPI_INT, in, 1, MPI_INT, others, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%d\n", in[0]);
    MPI_Comm_free(&others);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
