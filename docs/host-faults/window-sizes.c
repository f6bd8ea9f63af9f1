/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Get reads a wrong place of a window of MPI_Win_allocate whose size is no multiple of 16.
 *
 * of: MPICH
 * ranks: 2
 * section: MPI-4.1, 12.2.2 Window That Allocates Memory
 * expected: wrong sizes: 0
 * actual: wrong sizes: *
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int size = 1; size <= 64; size++) {
        char *memory, got = 0;
        MPI_Win win;
        MPI_Win_allocate(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
        for (int i = 0; i < size; i++)
            memory[i] = 1 + rank;
        MPI_Win_fence(0, win);
        MPI_Get(&got, 1, MPI_CHAR, 1 - rank, size - 1, 1, MPI_CHAR, win);
        MPI_Win_fence(0, win);
        wrong += got != 2 - rank;
        MPI_Win_free(&win);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("wrong sizes: %d\n", wrong);
    MPI_Finalize();
    return 0;
}
