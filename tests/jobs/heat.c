/* SPDX-License-Identifier: BSD-3-Clause */
/* heat SIZE STEPS: the heat equation on a square, by rows; the ranks' borders are exchanged in each step. The first rank prints the sum,
 * and which device a wrapper script has chosen for each rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *row(double *field, int size, int i)
{
    return field + (size_t)i * (size_t)(size + 2);
}

static void exchange(double *field, int size, int rows, int above, int below)
{
    MPI_Sendrecv(row(field, size, 1), size + 2, MPI_DOUBLE, above, 0, row(field, size, rows + 1), size + 2, MPI_DOUBLE, below, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(row(field, size, rows), size + 2, MPI_DOUBLE, below, 1, row(field, size, 0), size + 2, MPI_DOUBLE, above, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void step(double *to, double *from, int size, int rows)
{
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j <= size; j++)
            row(to, size, i)[j] = 0.25 * (row(from, size, i - 1)[j] + row(from, size, i + 1)[j] + row(from, size, i)[j - 1] +
                                          row(from, size, i)[j + 1]);
}

static void print_devices(int rank, int ranks)
{
    int mine = getenv("DEVICE") ? atoi(getenv("DEVICE")) : -1, *all = malloc((size_t)ranks * sizeof *all);
    MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < ranks; i++)
        printf("device-%d %d\n", i, all[i]);
    free(all);
}

int main(int argc, char **argv)
{
    int rank, ranks, size = argc > 1 ? atoi(argv[1]) : 60, steps = argc > 2 ? atoi(argv[2]) : 50;
    double sum = 0, total;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int rows = size / ranks, above = rank ? rank - 1 : MPI_PROC_NULL, below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    double *one = calloc((size_t)(rows + 2) * (size_t)(size + 2), sizeof *one), *two = malloc((size_t)(rows + 2) * (size_t)(size + 2) * sizeof *two);
    for (int j = 0; rank == 0 && j < size + 2; j++)
        one[j] = 100;
    memcpy(two, one, (size_t)(rows + 2) * (size_t)(size + 2) * sizeof *two);
    for (int i = 0; i < steps; i++) {
        double *from = i % 2 ? two : one, *to = i % 2 ? one : two;
        exchange(from, size, rows, above, below);
        step(to, from, size, rows);
    }
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j <= size; j++)
            sum += row(steps % 2 ? two : one, size, i)[j];
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("ranks %d\nheat %.9g\n", ranks, total);
    print_devices(rank, ranks);
    MPI_Finalize();
    free(one);
    free(two);
    return 0;
}
