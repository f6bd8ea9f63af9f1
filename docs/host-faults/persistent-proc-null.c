/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent receive from MPI_PROC_NULL has another source in its status.
 *
 * of: MPICH
 * section: MPI-4.1, 3.11 Null Processes
 * expected: source is MPI_PROC_NULL: 1
 * actual: source is MPI_PROC_NULL: 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int value;
    MPI_Request request;
    MPI_Status status = { .MPI_SOURCE = 7 };
    MPI_Init(&argc, &argv);
    MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, &status);
    printf("source is MPI_PROC_NULL: %d\n", status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
