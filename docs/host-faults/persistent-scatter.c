/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent scatter that is started again delivers what it delivered before, or crashes.
 *
 * of: MPICH
 * needs: MPI_Scatter_init
 * section: MPI-4.1, 6.13 Persistent Collective Operations
 * ranks: 3
 * expected: 1, then 2
 * actual: 1, then 1 | ends
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int out[3], in, rank, first = 0, last = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Scatter_init(out, 1, MPI_INT, &in, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int turn = 1; turn <= 2; turn++) {
        out[0] = out[1] = out[2] = turn;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        first = turn == 1 ? in : first;
        last = in;
    }
    if (rank == 1)
        printf("%d, then %d\n", first, last);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
