/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Probe leaves it undefined whether the message was cancelled.
 *
 * of: MPICH
 * section: MPI-4.1, 3.8.1 Probe
 * expected: cancelled: 0
 * actual: cancelled: 1
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int value = 1, cancelled;
    MPI_Request request;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    memset(&status, 0xff, sizeof status);
    MPI_Probe(0, 0, MPI_COMM_SELF, &status);
    MPI_Test_cancelled(&status, &cancelled);
    printf("cancelled: %d\n", cancelled != 0);
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
