/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A ring exchange of matrix columns (a derived datatype) and a reduction with
 * an operation of our own.  Says which library ran and whether the results are
 * right; the exit status is non-zero if they are not.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 64, COLUMNS = 3 };

static int rank, size;

/* Keeps the larger absolute value, with its sign. */
static void farthest(void *in, void *inout, int *count, MPI_Datatype *datatype)
{
    const double *a = in;
    double *b = inout;
    if (*datatype != MPI_DOUBLE)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < *count; i++)
        if (a[i] * a[i] > b[i] * b[i])
            b[i] = a[i];
}

/* Send my first column to the right; receive the left one's into my last. */
static int exchange_columns(void)
{
    static double matrix[ROWS][COLUMNS];
    int left = (rank + size - 1) % size, right = (rank + 1) % size, count, good = 1;
    MPI_Datatype column;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    for (int row = 0; row < ROWS; row++)
        matrix[row][0] = 1000 * rank + row;
    MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Irecv(&matrix[0][COLUMNS - 1], 1, column, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&matrix[0][0], 1, column, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    MPI_Get_count(&statuses[0], column, &count);
    MPI_Type_free(&column);
    good = count == 1 && statuses[0].MPI_SOURCE == left && statuses[0].MPI_TAG == 1;
    for (int row = 0; row < ROWS; row++)
        good = good && matrix[row][COLUMNS - 1] == 1000 * left + row && matrix[row][1] == 0;
    return good;
}

static int reduce_farthest(void)
{
    double mine[2] = {-rank, rank + 0.5}, all[2] = {0, 0};
    MPI_Op op;
    MPI_Op_create(farthest, 1, &op);
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    return all[0] == -(size - 1) && all[1] == size - 0.5;
}

int main(int argc, char **argv)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, good, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    good = exchange_columns();
    good = reduce_farthest() && good;
    MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    MPI_Get_library_version(library, &length);
    /* Behind what the program's own MPI would say stands which one really runs. */
    const char *host = library, *adapted;
    while ((adapted = strstr(host, ", adapted by MPI-Adapter ")))
        host = strstr(adapted, " to ") + strlen(" to ");
    if (rank == 0)
        printf("ring on %d ranks, %.*s: %s\n", size, (int)strcspn(host, "\n"), host, all ? "verified" : "WRONG");
    MPI_Finalize();
    return all ? 0 : 1;
}
