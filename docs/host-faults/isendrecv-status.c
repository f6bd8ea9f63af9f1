/* SPDX-License-Identifier: BSD-3-Clause */
/* The status of MPI_Isendrecv is empty. It has to tell of the message that was received.
 *
 * of: MPICH
 * needs: MPI_Isendrecv
 * section: MPI-4.1, 3.10 Send-Receive
 * expected: source 0, tag 7
 * actual: source *, tag *
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int out = 1, in;
    MPI_Request request;
    MPI_Status status = { .MPI_SOURCE = 55, .MPI_TAG = 55 };
    MPI_Init(&argc, &argv);
    MPI_Isendrecv(&out, 1, MPI_INT, 0, 7, &in, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    MPI_Wait(&request, &status);
    printf("source %d, tag %d\n", status.MPI_SOURCE, status.MPI_TAG);
    MPI_Finalize();
    return 0;
}
