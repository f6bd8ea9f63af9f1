/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Accumulate computes bitwise operations wrong.
 *
 * of: Open MPI
 * ranks: 2
 * section: MPI-4.1, 12.3.4 Accumulate Functions
 * expected: and 8, or 14, xor 6
 * actual: and *, or *, xor *
 */
#include <mpi.h>
#include <stdio.h>

static MPI_Win win;

static int combine(unsigned *memory, int rank, MPI_Op op)
{
    unsigned value = 10;
    *memory = 12;
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Accumulate(&value, 1, MPI_UNSIGNED, 0, 0, 1, MPI_UNSIGNED, op, win);
    MPI_Win_fence(0, win);
    return *memory;
}

int main(int argc, char **argv)
{
    int rank, both, either, one;
    unsigned *memory;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    both = combine(memory, rank, MPI_BAND);
    either = combine(memory, rank, MPI_BOR);
    one = combine(memory, rank, MPI_BXOR);
    if (rank == 0)
        printf("and %d, or %d, xor %d\n", both, either, one);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
