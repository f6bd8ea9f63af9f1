/* SPDX-License-Identifier: BSD-3-Clause */
/* Says how many processes there are; with arguments, first runs them as a command of the shell. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    if (argc > 1 && system(argv[1]) != 0)
        return 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        printf("hello %d\n", size);
    MPI_Finalize();
    return 0;
}
