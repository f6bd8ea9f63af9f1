/* SPDX-License-Identifier: BSD-3-Clause */
/* Its host's MPI_Barrier says whether all parts of the host reach the host. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    puts(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS ? "right" : "wrong");
    return MPI_Finalize();
}
