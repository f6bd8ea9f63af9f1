/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conjugate gradients inside inverse iterations. Rows of the matrix and all
 * vectors are distributed by blocks; the vector to multiply is gathered from
 * all ranks, and products of vectors are reduced.
 */
#include "app.h"

enum { CHORDS = 6, ROW = 2 * CHORDS + 1, INNER = 25, RESULTS = 2 };

static const int distances[CHORDS] = { 1, 7, 64, 517, 1999, 4673 };
static const double shift = 10;

/* Rows [first, end) of a matrix of n rows, and vectors: whole has n elements,
 * the others belong to the rows. */
struct part {
    int n, first, end;
    int *column;
    double *value, *whole, *x, *z, *r, *p, *q;
    int *counts, *offsets;
    MPI_Comm comm;  /* MPI_COMM_NULL: all rows are here */
};

static double element(int row, int column)
{
    int low = row < column ? row : column, high = row < column ? column : row;
    return app_noise((uint64_t)low << 32 | (uint64_t)high) - 0.5;
}

static void make_row(struct part *part, int row, int *column, double *value)
{
    double sum = 0.1 + app_noise((uint64_t)row);
    for (int i = 0; i < CHORDS; i++) {
        column[2 * i] = (row + distances[i]) % part->n;
        column[2 * i + 1] = (row + part->n - distances[i]) % part->n;
    }
    for (int i = 0; i < ROW - 1; i++) {
        value[i] = element(row, column[i]);
        sum += fabs(value[i]);
    }
    column[ROW - 1] = row;
    value[ROW - 1] = sum;
}

static struct part make_part(int ranks, int rank, MPI_Comm comm)
{
    struct part part = { .n = app_quick ? 12000 : 60000, .comm = comm };
    part.first = app_first(part.n, ranks, rank);
    part.end = app_first(part.n, ranks, rank + 1);
    size_t rows = (size_t)(part.end - part.first);
    part.column = app_allocate(rows * ROW, sizeof *part.column);
    part.value = app_allocate(rows * ROW, sizeof *part.value);
    part.whole = app_allocate((size_t)part.n, sizeof *part.whole);
    double **vectors[] = { &part.x, &part.z, &part.r, &part.p, &part.q };
    for (int i = 0; i < 5; i++)
        *vectors[i] = app_allocate(rows, sizeof(double));
    part.counts = app_allocate((size_t)ranks, sizeof *part.counts);
    part.offsets = app_allocate((size_t)ranks, sizeof *part.offsets);
    for (int i = 0; i < ranks; i++) {
        part.offsets[i] = app_first(part.n, ranks, i);
        part.counts[i] = app_first(part.n, ranks, i + 1) - part.offsets[i];
    }
    for (size_t i = 0; i < rows; i++)
        make_row(&part, part.first + (int)i, &part.column[i * ROW], &part.value[i * ROW]);
    return part;
}

static double product(const struct part *part, const double *a, const double *b)
{
    double sum = 0, all;
    for (int i = 0; i < part->end - part->first; i++)
        sum += a[i] * b[i];
    if (part->comm == MPI_COMM_NULL)
        return sum;
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, part->comm);
    return all;
}

/* to = A from */
static void multiply(struct part *part, const double *from, double *to)
{
    int rows = part->end - part->first;
    if (part->comm == MPI_COMM_NULL)
        memcpy(part->whole, from, (size_t)rows * sizeof *from);
    else
        MPI_Allgatherv(from, rows, MPI_DOUBLE, part->whole, part->counts, part->offsets, MPI_DOUBLE, part->comm);
    for (int i = 0; i < rows; i++) {
        const int *column = &part->column[(size_t)i * ROW];
        const double *value = &part->value[(size_t)i * ROW];
        double sum = 0;
        for (int k = 0; k < ROW; k++)
            sum += value[k] * part->whole[column[k]];
        to[i] = sum;
    }
}

/* z: an approximate solution of A z = x */
static void solve(struct part *part)
{
    int rows = part->end - part->first;
    double rho, old, alpha;
    for (int i = 0; i < rows; i++) {
        part->z[i] = 0;
        part->r[i] = part->p[i] = part->x[i];
    }
    rho = product(part, part->r, part->r);
    for (int step = 0; step < INNER; step++) {
        multiply(part, part->p, part->q);
        alpha = rho / product(part, part->p, part->q);
        for (int i = 0; i < rows; i++) {
            part->z[i] += alpha * part->p[i];
            part->r[i] -= alpha * part->q[i];
        }
        old = rho;
        rho = product(part, part->r, part->r);
        for (int i = 0; i < rows; i++)
            part->p[i] = part->r[i] + rho / old * part->p[i];
    }
}

static void iterate(struct part *part, double *results)
{
    int rows = part->end - part->first;
    double zeta = 0;
    for (int i = 0; i < rows; i++)
        part->x[i] = 1;
    for (int step = 0; step < app_steps(2, 60); step++) {
        solve(part);
        zeta = shift + 1 / product(part, part->x, part->z);
        double scale = 1 / sqrt(product(part, part->z, part->z));
        for (int i = 0; i < rows; i++)
            part->x[i] = scale * part->z[i];
    }
    results[0] = zeta;
    for (int i = 0; i < rows; i++)
        part->q[i] = app_noise((uint64_t)(part->first + i));
    results[1] = product(part, part->x, part->q);
}

static void serial(double *results)
{
    struct part part = make_part(1, 0, MPI_COMM_NULL);
    iterate(&part, results);
}

int main(int argc, char **argv)
{
    double results[RESULTS], start, seconds;
    MPI_Init(&argc, &argv);
    app_start("cg", argc, argv);
    struct part part = make_part(app_ranks, app_rank, MPI_COMM_WORLD);
    start = app_clock_start();
    iterate(&part, results);
    seconds = app_clock_stop(start);
    app_verify(results, RESULTS, 1e-9, serial);
    app_finish(seconds);
    return 0;
}
