/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Probe changes MPI_ERROR of the status, which only procedures that complete several requests may do.
 *
 * of: MPICH
 * section: MPI-4.1, 3.2.5 Return Status
 * expected: MPI_ERROR: 12345
 * actual: MPI_ERROR: 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int value = 1;
    MPI_Request request;
    MPI_Status status = { .MPI_ERROR = 12345 };
    MPI_Init(&argc, &argv);
    MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Probe(0, 0, MPI_COMM_SELF, &status);
    printf("MPI_ERROR: %d\n", status.MPI_ERROR);
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
