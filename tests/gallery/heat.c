/* SPDX-License-Identifier: BSD-3-Clause */
/* The heat equation on a square plate: two warm places spread. Rows are shared among the ranks, which exchange the ones at their
 * borders. Rank 0 prints each cell in hexadecimal, so that not a bit is lost. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 64, STEPS = 150 };

typedef double line[SIDE];

static int rank, ranks, first, rows;

static int first_row(int of)
{
    return of * SIDE / ranks;
}

static double at_start(int row, int column)
{
    int is_disc = (row - 20) * (row - 20) + (column - 22) * (column - 22) < 90;
    int is_bar = row >= 40 && row < 48 && column >= 12 && column < 56;
    return is_disc ? 100 : is_bar ? 70 : 0;
}

/* The rows ahead of the first one and behind the last one are the neighbours'. */
static void exchange(line *plate)
{
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(plate[1], SIDE, MPI_DOUBLE, above, 0, plate[rows + 1], SIDE, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(plate[rows], SIDE, MPI_DOUBLE, below, 1, plate[0], SIDE, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Nothing flows over the plate's edges. */
static double neighbour(line *plate, int row, int column, int rows_on, int columns_on)
{
    int at = first + row - 1 + rows_on, beside = column + columns_on;
    return at < 0 || at >= SIDE || beside < 0 || beside >= SIDE ? plate[row][column] : plate[row + rows_on][beside];
}

static void step(line *from, line *to)
{
    for (int row = 1; row <= rows; row++)
        for (int column = 0; column < SIDE; column++)
            to[row][column] = from[row][column] +
                              0.2 * (neighbour(from, row, column, -1, 0) + neighbour(from, row, column, 1, 0) +
                                     neighbour(from, row, column, 0, -1) + neighbour(from, row, column, 0, 1) - 4 * from[row][column]);
}

static double heat_of(line *plate)
{
    double mine = 0, all;
    for (int row = 1; row <= rows; row++)
        for (int column = 0; column < SIDE; column++)
            mine += plate[row][column];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void print(line *plate)
{
    line *whole = malloc(sizeof(line) * SIDE);
    int *counts = malloc(2 * sizeof *counts * (size_t)ranks), *places = counts + ranks;
    for (int i = 0; i < ranks; i++) {
        places[i] = first_row(i) * SIDE;
        counts[i] = first_row(i + 1) * SIDE - places[i];
    }
    MPI_Gatherv(plate[1], rows * SIDE, MPI_DOUBLE, whole, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int row = 0; rank == 0 && row < SIDE; row++)
        for (int column = 0; column < SIDE; column++)
            printf("%a%c", whole[row][column], column + 1 < SIDE ? ' ' : '\n');
    free(counts);
    free(whole);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    first = first_row(rank);
    rows = first_row(rank + 1) - first;
    line *plate = calloc((size_t)rows + 2, sizeof(line)), *next = calloc((size_t)rows + 2, sizeof(line));
    for (int row = 1; row <= rows; row++)
        for (int column = 0; column < SIDE; column++)
            plate[row][column] = at_start(first + row - 1, column);
    double before = heat_of(plate);
    for (int i = 0; i < STEPS; i++) {
        exchange(plate);
        step(plate, next);
        line *last = plate;
        plate = next;
        next = last;
    }
    double change = heat_of(plate) / before - 1;
    if (change > 1e-9 || change < -1e-9)
        MPI_Abort(MPI_COMM_WORLD, 1);
    print(plate);
    free(plate);
    free(next);
    MPI_Finalize();
    return 0;
}
