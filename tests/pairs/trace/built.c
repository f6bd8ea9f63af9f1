/* SPDX-License-Identifier: BSD-3-Clause */
/* Procedures that hosts lack, or that the adapter calls another one for. */
#include <mpi.h>

#ifndef MPI_Errhandler_set
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler);
#endif

int main(int argc, char **argv)
{
    MPI_Request request;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, &status);
    MPI_Request_free(&request);
    MPI_Status_set_elements_c(&status, MPI_INT, 3);
    MPI_Finalize();
    return 0;
}
