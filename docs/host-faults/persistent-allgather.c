/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent allgather that is started again delivers what it delivered before.
 *
 * of: MPICH
 * needs: MPI_Allgather_init
 * section: MPI-4.1, 6.13 Persistent Collective Operations
 * ranks: 2
 * expected: 1 1, then 2 2
 * actual: 1 1, then *
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int out, in[2], rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allgather_init(&out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int turn = 1; turn <= 2; turn++) {
        out = turn;
        in[0] = in[1] = 0;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank == 1)
            printf("%d %d%s", in[0], in[1], turn == 1 ? ", then " : "\n");
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
