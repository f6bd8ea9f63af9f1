/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Put writes to memory before a window of MPI_Win_create that begins at no multiple of 16, and other accesses go there as well.
 *
 * of: MPICH
 * ranks: 2
 * section: MPI-4.1, 12.2.1 Window Creation
 * expected: written where it should be
 * actual: written before the window
 *
 * Over UCX 1.13, which registers memory from a multiple of 16 on, and says that the memory begins there. With UCX_RCACHE_ENABLE=n the
 * fault is gone. window-sizes.c has windows that begin so by the sizes of others, and MPI_Get_accumulate returned what is before one.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    _Alignas(16) int memory[2] = {0, 0};
    int rank, value = 7;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory + 1, sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    if (rank == 1)
        puts(memory[1] == 7 ? "written where it should be" : memory[0] == 7 ? "written before the window" : "written elsewhere");
    MPI_Finalize();
    return 0;
}
