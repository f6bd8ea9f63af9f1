/* SPDX-License-Identifier: BSD-3-Clause */
/* Solves a system of equations by ScaLAPACK, which is compiled for another MPI and makes its own communicators. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

void Cblacs_pinfo(int *, int *);
void Cblacs_get(int, int, int *);
void Cblacs_gridinit(int *, char *, int, int);
void Cblacs_gridinfo(int, int *, int *, int *, int *);
void descinit_(int *, int *, int *, int *, int *, int *, int *, int *, int *, int *);
void pdgesv_(int *, int *, double *, int *, int *, int *, int *, double *, int *, int *, int *, int *);

enum { SIZE = 32, BLOCK = 4 };

/* The row of the whole system that is row `i` of this process. */
static int row_of(int i, int process, int processes)
{
    return (i / BLOCK * processes + process) * BLOCK + i % BLOCK;
}

int main(int argc, char **argv)
{
    static double matrix[SIZE * SIZE], right[SIZE];
    int me, processes, context, rows, columns, row, column, info, zero = 0, one = 1, size = SIZE, block = BLOCK, pivots[SIZE + BLOCK];
    int matrix_form[9], right_form[9], own;
    double error = 0, largest;
    MPI_Init(&argc, &argv);
    Cblacs_pinfo(&me, &processes);
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "R", processes, 1);
    Cblacs_gridinfo(context, &rows, &columns, &row, &column);
    own = SIZE / processes;
    descinit_(matrix_form, &size, &size, &block, &block, &zero, &zero, &context, &own, &info);
    descinit_(right_form, &size, &one, &block, &block, &zero, &zero, &context, &own, &info);
    for (int i = 0; i < own; i++)
        for (int j = 0, at = row_of(i, row, processes); j < SIZE; j++) {
            matrix[i + j * own] = (at == j ? SIZE : 0) + 1.0 / (1 + at + 2 * j);
            right[i] += matrix[i + j * own] * (j + 1);
        }
    pdgesv_(&size, &one, matrix, &one, &one, matrix_form, pivots, right, &one, &one, right_form, &info);
    for (int i = 0; i < own; i++)
        error = fmax(error, fabs(right[i] - row_of(i, row, processes) - 1));
    MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    /* One line of all, as launchers may join lines of several ranks. */
    if (me == 0)
        puts(info == 0 && largest < 1e-9 ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
