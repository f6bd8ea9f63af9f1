/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pressure equation of Himeno's benchmark: a 19-point Jacobi stencil with
 * coefficients in memory. Ranks form a 3-D grid and exchange faces, as derived
 * datatypes, with their neighbours; the residual is reduced in each iteration.
 */
#include "app.h"

enum { COEFFICIENTS = 10, RESULTS = 2 };

static const float omega = 0.8f;

/* A block of the grid: begin[] to below end[] in the whole grid's indices, with
 * one more layer of points on each side. */
struct block {
    int whole[3], begin[3], end[3], size[3];
    float *pressure, *next, *coefficient[COEFFICIENTS], *source, *bound;
    MPI_Comm comm;
    MPI_Datatype face[3];
    int lower[3], upper[3];
};

static int iterations(void)
{
    return app_steps(10, 200);
}

static size_t at(const struct block *block, int i, int j, int k)
{
    return ((size_t)i * (size_t)block->size[1] + (size_t)j) * (size_t)block->size[2] + (size_t)k;
}

static void fill_point(struct block *block, int i, int j, int k)
{
    size_t here = at(block, i, j, k);
    int x = i + block->begin[0] - 1, y = j + block->begin[1] - 1, z = k + block->begin[2] - 1;
    uint64_t number = ((uint64_t)x * (uint64_t)block->whole[1] + (uint64_t)y) * (uint64_t)block->whole[2] + (uint64_t)z;
    float height = (float)x / (float)(block->whole[0] - 1);
    for (int c = 0; c < COEFFICIENTS; c++)
        block->coefficient[c][here] = 1;
    for (int c = 4; c < 7; c++)
        block->coefficient[c][here] = 0.02f * (float)(c - 3);
    block->coefficient[3][here] = 1 / 6.0f;
    block->source[here] = (float)(0.01 * app_noise(number));
    block->bound[here] = 1;
    block->pressure[here] = block->next[here] = height * height;
}

static void make_block(struct block *block, const int *grid, const int *place)
{
    size_t points = 1;
    for (int d = 0; d < 3; d++) {
        int inner = (app_quick ? 32 : 64) << (d == 2);
        block->whole[d] = inner + 2;
        block->begin[d] = 1 + app_first(inner, grid[d], place[d]);
        block->end[d] = 1 + app_first(inner, grid[d], place[d] + 1);
        block->size[d] = block->end[d] - block->begin[d] + 2;
        points *= (size_t)block->size[d];
    }
    float **fields[] = { &block->pressure, &block->next, &block->source, &block->bound };
    for (int f = 0; f < 4; f++)
        *fields[f] = app_allocate(points, sizeof(float));
    for (int c = 0; c < COEFFICIENTS; c++)
        block->coefficient[c] = app_allocate(points, sizeof(float));
    for (int i = 0; i < block->size[0]; i++)
        for (int j = 0; j < block->size[1]; j++)
            for (int k = 0; k < block->size[2]; k++)
                fill_point(block, i, j, k);
}

/* A datatype for each of the faces across a dimension, at the first point. */
static void make_faces(struct block *block)
{
    for (int d = 0; d < 3; d++) {
        int part[3] = { block->size[0], block->size[1], block->size[2] }, origin[3] = { 0, 0, 0 };
        part[d] = 1;
        MPI_Type_create_subarray(3, block->size, part, origin, MPI_ORDER_C, MPI_FLOAT, &block->face[d]);
        MPI_Type_commit(&block->face[d]);
        MPI_Cart_shift(block->comm, d, 1, &block->lower[d], &block->upper[d]);
    }
}

static void free_faces(struct block *block)
{
    for (int d = 0; d < 3; d++)
        MPI_Type_free(&block->face[d]);
    MPI_Comm_free(&block->comm);
}

static float *layer(const struct block *block, int dimension, int number)
{
    int index[3] = { 0, 0, 0 };
    index[dimension] = number;
    return &block->pressure[at(block, index[0], index[1], index[2])];
}

/* One dimension after the other, so that edges travel, too. */
static void exchange(const struct block *block)
{
    for (int d = 0; d < 3; d++) {
        MPI_Request requests[4];
        int last = block->size[d] - 1;
        MPI_Irecv(layer(block, d, 0), 1, block->face[d], block->lower[d], 1, block->comm, &requests[0]);
        MPI_Irecv(layer(block, d, last), 1, block->face[d], block->upper[d], 2, block->comm, &requests[1]);
        MPI_Isend(layer(block, d, last - 1), 1, block->face[d], block->upper[d], 1, block->comm, &requests[2]);
        MPI_Isend(layer(block, d, 1), 1, block->face[d], block->lower[d], 2, block->comm, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
}

/* One line of the stencil; returns its share of the residual. */
static double sweep_line(const struct block *block, int i, int j)
{
    const size_t plane = (size_t)block->size[1] * (size_t)block->size[2], row = (size_t)block->size[2];
    const float *p = block->pressure, *const *c = (const float *const *)block->coefficient;
    double residual = 0;
    for (size_t n = at(block, i, j, 1); n < at(block, i, j, block->size[2] - 1); n++) {
        float sum = c[0][n] * p[n + plane] + c[1][n] * p[n + row] + c[2][n] * p[n + 1]
            + c[4][n] * (p[n + plane + row] - p[n + plane - row] - p[n - plane + row] + p[n - plane - row])
            + c[5][n] * (p[n + row + 1] - p[n - row + 1] - p[n + row - 1] + p[n - row - 1])
            + c[6][n] * (p[n + plane + 1] - p[n - plane + 1] - p[n + plane - 1] + p[n - plane - 1])
            + c[7][n] * p[n - plane] + c[8][n] * p[n - row] + c[9][n] * p[n - 1] + block->source[n];
        float change = (sum * c[3][n] - p[n]) * block->bound[n];
        residual += change * change;
        block->next[n] = p[n] + omega * change;
    }
    return residual;
}

static double sweep(const struct block *block)
{
    double residual = 0;
    for (int i = 1; i < block->size[0] - 1; i++)
        for (int j = 1; j < block->size[1] - 1; j++)
            residual += sweep_line(block, i, j);
    return residual;
}

static void take_next(const struct block *block)
{
    size_t bytes = (size_t)(block->size[2] - 2) * sizeof(float);
    for (int i = 1; i < block->size[0] - 1; i++)
        for (int j = 1; j < block->size[1] - 1; j++)
            memcpy(&block->pressure[at(block, i, j, 1)], &block->next[at(block, i, j, 1)], bytes);
}

/* The sum of the pressures of a block, each with a weight of its own. */
static double digest(const struct block *block)
{
    double sum = 0;
    for (int i = 1; i < block->size[0] - 1; i++)
        for (int j = 1; j < block->size[1] - 1; j++)
            for (int k = 1; k < block->size[2] - 1; k++) {
                int x = i + block->begin[0], y = j + block->begin[1], z = k + block->begin[2];
                sum += block->pressure[at(block, i, j, k)] * app_noise((uint64_t)((x * 1024 + y) * 1024 + z));
            }
    return sum;
}

static void parallel(const struct block *block, double *residual)
{
    for (int iteration = 0; iteration < iterations(); iteration++) {
        double mine = sweep(block);
        take_next(block);
        exchange(block);
        MPI_Allreduce(&mine, residual, 1, MPI_DOUBLE, MPI_SUM, block->comm);
    }
}

static void serial(double *results)
{
    static const int one[3] = { 1, 1, 1 }, origin[3] = { 0, 0, 0 };
    struct block block = { .comm = MPI_COMM_NULL };
    make_block(&block, one, origin);
    for (int iteration = 0; iteration < iterations(); iteration++) {
        results[0] = sweep(&block);
        take_next(&block);
    }
    results[1] = digest(&block);
}

/* The inner dimension is the last to be split. */
static void make_grid(struct block *block, int *grid, int *place)
{
    static const int open[3] = { 0, 0, 0 };
    int sizes[3] = { 0, 0, 0 };
    MPI_Dims_create(app_ranks, 3, sizes);
    grid[0] = sizes[1];
    grid[1] = sizes[0];
    grid[2] = sizes[2];
    MPI_Cart_create(MPI_COMM_WORLD, 3, grid, open, 1, &block->comm);
    int rank;
    MPI_Comm_rank(block->comm, &rank);
    MPI_Cart_coords(block->comm, rank, 3, place);
}

int main(int argc, char **argv)
{
    int grid[3], place[3];
    struct block block;
    double results[RESULTS] = { 0 }, mine, start, seconds;
    MPI_Init(&argc, &argv);
    app_start("himeno", argc, argv);
    make_grid(&block, grid, place);
    make_block(&block, grid, place);
    make_faces(&block);
    start = app_clock_start();
    parallel(&block, &results[0]);
    seconds = app_clock_stop(start);
    mine = digest(&block);
    MPI_Reduce(&mine, &results[1], 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    app_verify(results, RESULTS, 1e-9, serial);
    free_faces(&block);
    app_finish(seconds);
    return 0;
}
