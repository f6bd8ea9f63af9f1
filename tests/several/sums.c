/* SPDX-License-Identifier: BSD-3-Clause */
/* A program in C that calls a part in Fortran, sums.f90. Prints what is wrong. */
#include <mpi.h>
#include <stdio.h>

int sum_on(int comm);
int duplicate(int comm);

int main(int argc, char **argv)
{
    int size, one = 1, sum = 0;
    MPI_Comm made;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (sum_on(MPI_Comm_c2f(MPI_COMM_WORLD)) != size)
        puts("MPI_COMM_WORLD");
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    if (sum_on(MPI_Comm_c2f(made)) != size)
        puts("a duplicate");
    MPI_Comm_free(&made);
    made = MPI_Comm_f2c(duplicate(MPI_Comm_c2f(MPI_COMM_WORLD)));
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, made);
    if (sum != size)
        puts("a duplicate by Fortran");
    MPI_Comm_free(&made);
    MPI_Finalize();
    puts("right");
    return 0;
}
