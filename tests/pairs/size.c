/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks for the size of a communicator, for a debugger that looks on. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    /* The next line is named by debugger.bats. */
    MPI_Comm_size(MPI_COMM_SELF, &size);
    MPI_Finalize();
    return size != 1;
}
