/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that brings libraries of its own, and asks whose its are. Its argument: how many ranks there are to be. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef BRINGS
int tree_library(void);
#else
static int tree_library(void) { return 7; }
#endif

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mine = rank + 1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    int wanted = argc > 1 ? atoi(argv[1]) : size;
    printf("%s\n", size == wanted && sum == size * (size + 1) / 2 && tree_library() == 7 ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
