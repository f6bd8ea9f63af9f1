/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts two children, which are on the parent's MPI if they can reduce to it. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm parent, children;
    int sum = 0, one = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
        MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_ROOT, children);
        printf("%d children\n", sum);
    } else
        MPI_Reduce(&one, NULL, 1, MPI_INT, MPI_SUM, 0, parent);
    MPI_Finalize();
    return 0;
}
