/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent gather sends the root's part as it was when the request was made. It is to be read when the operation starts.
 *
 * of: MPICH
 * needs: MPI_Gather_init
 * section: MPI-4.1, 6.13 Persistent Collective Operations
 * expected: 2
 * actual: 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int out = 1, in = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Gather_init(&out, 1, MPI_INT, &in, 1, MPI_INT, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request);
    out = 2;
    in = 1;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("%d\n", in);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
