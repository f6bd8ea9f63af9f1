/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Waitany completes a persistent collective again and again. Inactive requests are to be passed over.
 *
 * of: MPICH
 * needs: MPI_Allreduce_init
 * section: MPI-4.1, 3.7.5 Multiple Completions
 * expected: 0, then MPI_UNDEFINED
 * actual: 0, then 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int out = 1, in, first, second;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Allreduce_init(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Waitany(1, &request, &first, MPI_STATUS_IGNORE);
    MPI_Waitany(1, &request, &second, MPI_STATUS_IGNORE);
    printf("%d, then %s\n", first, second == MPI_UNDEFINED ? "MPI_UNDEFINED" : "0");
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
