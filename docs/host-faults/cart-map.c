/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Cart_map gives a process outside the grid a rank, where MPI_UNDEFINED is due.
 *
 * of: Open MPI
 * ranks: 2
 * section: MPI-4.1, 8.5.8 Low-Level Topology Functions
 * expected: the last rank is outside: 1
 * actual: the last rank is outside: 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, one = 1, no = 0, mapped, outside;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_map(MPI_COMM_WORLD, 1, &one, &no, &mapped);
    outside = mapped == MPI_UNDEFINED;
    MPI_Bcast(&outside, 1, MPI_INT, 1, MPI_COMM_WORLD);
    if (rank == 0)
        printf("the last rank is outside: %d\n", outside);
    MPI_Finalize();
    return 0;
}
