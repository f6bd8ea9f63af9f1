/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int rc = MPI_Barrier(MPI_COMM_WORLD);
    fputs(rc == MPI_SUCCESS ? "right\n" : "wrong\n", stdout);
    MPI_Finalize();
    return rc != MPI_SUCCESS;
}
