/* SPDX-License-Identifier: BSD-3-Clause */
/* Solves a linear system by ScaLAPACK's pdgesv on a grid of 1 x RANKS, whose library is built against
 * MPICH, and prints the largest error. Its C BLACS carry communicators as Fortran integers. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 96, BLOCK = 8 };

int Csys2blacs_handle(MPI_Comm comm);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridexit(int context);
void descinit_(int *desc, const int *m, const int *n, const int *mb, const int *nb, const int *row, const int *column,
               const int *context, const int *leading, int *info);
void pdgesv_(const int *n, const int *nrhs, double *a, const int *ia, const int *ja, const int *desca, int *pivots,
             double *b, const int *ib, const int *jb, const int *descb, int *info);

static double element(int i, int j)
{
    return (i * 31 + j * 17) % 23 - 11 + (i == j ? 60 : 0);
}

int main(int argc, char **argv)
{
    int rank, size, context, info, one = 1, zero = 0, n = N, block = BLOCK, desca[9], descb[9], columns = 0;
    static int pivots[N + BLOCK];
    static double b[N * BLOCK];
    double worst = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    context = Csys2blacs_handle(MPI_COMM_WORLD);
    Cblacs_gridinit(&context, "Row", 1, size);
    double *a = calloc(N * (N + BLOCK), sizeof *a);
    for (int j = 0; j < N; j++)
        if (j / BLOCK % size == rank) {
            for (int i = 0; i < N; i++)
                a[columns * N + i] = element(i, j);
            columns++;
        }
    for (int i = 0; rank == 0 && i < N; i++)
        for (int j = 0; j < N; j++)
            b[i] += element(i, j) * (j + 1);
    descinit_(desca, &n, &n, &block, &block, &zero, &zero, &context, &n, &info);
    descinit_(descb, &n, &one, &block, &block, &zero, &zero, &context, &n, &info);
    pdgesv_(&n, &one, a, &one, &one, desca, pivots, b, &one, &one, descb, &info);
    for (int i = 0; rank == 0 && i < N; i++)
        worst = fmax(worst, fabs(b[i] - (i + 1)));
    if (rank == 0)
        puts(info == 0 && worst < 1e-9 ? "right" : "wrong");
    Cblacs_gridexit(context);
    free(a);
    MPI_Finalize();
    return 0;
}
