/* SPDX-License-Identifier: BSD-3-Clause */
/* Partitioned communication with wrong arguments: the case's name is the argument, and the procedure that is to be named. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int buffer[4] = { 0 };
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Psend_init(buffer, strcmp(argv[1], "MPI_Psend_init") == 0 ? -1 : 4, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    if (strcmp(argv[1], "MPI_Pready") == 0)
        MPI_Pready(4, request);
    MPI_Pready_range(2, 4, request);
    MPI_Finalize();
    return 0;
}
