/* SPDX-License-Identifier: BSD-3-Clause */
/* A lock hangs that follows one with MPI_MODE_NOCHECK.
 *
 * of: MPICH
 * ranks: 2
 * section: MPI-4.1, 12.5.5 Assertions
 * expected: locked twice
 * actual: hangs
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOCHECK, win);
    MPI_Win_unlock(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Win_unlock(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("locked twice\n");
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
