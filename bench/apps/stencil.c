/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A 3-D stencil on arrays in shared memory: the arrays are distributed over
 * windows by planes, the loop by columns, so each rank preloads its part and
 * the points around it from every rank, computes, and puts the new values back.
 */
#include "app.h"

enum { RESULTS = 1 };

/* Planes first to below end of an n x n x n grid live in this rank's window, in
 * two arrays, one after the other; rows low to below high are computed here. */
struct shared {
    int n, first, end, low, high;
    double *home, *local, *next;
    MPI_Win window;
    MPI_Datatype *gets, *puts;             /* of other ranks' windows */
    MPI_Datatype *local_gets, *local_puts; /* of local and next */
};

static int size(void)
{
    return app_quick ? 24 : 64;
}

static int steps(void)
{
    return app_steps(6, 400);
}

static double start_value(int n, int z, int y, int x)
{
    return app_noise(((uint64_t)z * (uint64_t)n + (uint64_t)y) * (uint64_t)n + (uint64_t)x);
}

/* Makes a datatype of an array of depth x height x n: the rows from `row` on of some planes. */
static MPI_Datatype section(int n, int depth, int height, int plane, int planes, int row, int rows)
{
    int whole[3] = { depth, height, n }, part[3] = { planes, rows, n }, origin[3] = { plane, row, 0 };
    MPI_Datatype type;
    MPI_Type_create_subarray(3, whole, part, origin, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

/* The part with its neighbouring rows (edges of the grid have none) is local;
 * row low - above of the grid is its first. */
static void make_sections(struct shared *shared)
{
    int n = shared->n, rows = shared->high - shared->low;
    int above = shared->low > 0, around = above + rows + (shared->high < n);
    MPI_Datatype **lists[] = { &shared->gets, &shared->puts, &shared->local_gets, &shared->local_puts };
    for (int i = 0; i < 4; i++)
        *lists[i] = app_allocate((size_t)app_ranks, sizeof(MPI_Datatype));
    for (int rank = 0; rank < app_ranks; rank++) {
        int plane = app_first(n, app_ranks, rank), planes = app_first(n, app_ranks, rank + 1) - plane;
        shared->gets[rank] = section(n, planes, n, 0, planes, shared->low - above, around);
        shared->local_gets[rank] = section(n, n, around, plane, planes, 0, around);
        shared->puts[rank] = section(n, planes, n, 0, planes, shared->low, rows);
        shared->local_puts[rank] = section(n, n, rows, plane, planes, 0, rows);
    }
    shared->local = app_allocate((size_t)(n * around) * (size_t)n, sizeof(double));
    shared->next = app_allocate((size_t)(n * rows) * (size_t)n, sizeof(double));
}

static struct shared make_shared(void)
{
    struct shared shared = { .n = size() };
    int n = shared.n;
    if (app_ranks > n)
        app_fail("there must be at most %d ranks", n);
    shared.first = shared.low = app_first(n, app_ranks, app_rank);
    shared.end = shared.high = app_first(n, app_ranks, app_rank + 1);
    MPI_Aint bytes = (MPI_Aint)2 * (shared.end - shared.first) * n * n * (MPI_Aint)sizeof(double);
    MPI_Alloc_mem(bytes, MPI_INFO_NULL, &shared.home);
    MPI_Win_create(shared.home, bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &shared.window);
    size_t i = 0;
    for (int z = shared.first; z < shared.end; z++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++)
                shared.home[i++] = start_value(n, z, y, x);
    make_sections(&shared);
    return shared;
}

static void free_shared(struct shared *shared)
{
    for (int rank = 0; rank < app_ranks; rank++) {
        MPI_Type_free(&shared->gets[rank]);
        MPI_Type_free(&shared->puts[rank]);
        MPI_Type_free(&shared->local_gets[rank]);
        MPI_Type_free(&shared->local_puts[rank]);
    }
    MPI_Win_free(&shared->window);
    MPI_Free_mem(shared->home);
}

/* Returns the displacement of a rank's array of a step in its window. */
static MPI_Aint array_of(const struct shared *shared, int rank, int step)
{
    int planes = app_first(shared->n, app_ranks, rank + 1) - app_first(shared->n, app_ranks, rank);
    return (MPI_Aint)(step % 2) * planes * shared->n * shared->n;
}

static void preload(const struct shared *shared, int step)
{
    MPI_Win_fence(MPI_MODE_NOPRECEDE, shared->window);
    for (int rank = 0; rank < app_ranks; rank++)
        MPI_Get(shared->local, 1, shared->local_gets[rank], rank, array_of(shared, rank, step), 1,
                shared->gets[rank], shared->window);
    MPI_Win_fence(MPI_MODE_NOPUT, shared->window);
}

static void reflect(const struct shared *shared, int step)
{
    for (int rank = 0; rank < app_ranks; rank++)
        MPI_Put(shared->next, 1, shared->local_puts[rank], rank, array_of(shared, rank, step), 1,
                shared->puts[rank], shared->window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, shared->window);
}

/* One row; planes and rows of "from" are height rows and n values apart. A point without all six
 * neighbours keeps its value. */
static void compute_row(int n, int height, const double *from, double *to)
{
    const double *above = from - n, *below = from + n, *front = from - height * n, *back = from + height * n;
    to[0] = from[0];
    for (int x = 1; x < n - 1; x++)
        to[x] = 0.4 * from[x] + 0.1 * (above[x] + below[x] + front[x] + back[x] + from[x - 1] + from[x + 1]);
    to[n - 1] = from[n - 1];
}

/* Rows low to below high, from an array whose first row is row first of the grid. */
static void compute(int n, int low, int high, int first, int height, const double *from, double *to)
{
    for (int z = 0; z < n; z++)
        for (int y = low; y < high; y++) {
            const double *row = &from[((size_t)z * (size_t)height + (size_t)(y - first)) * (size_t)n];
            double *result = &to[((size_t)z * (size_t)(high - low) + (size_t)(y - low)) * (size_t)n];
            if (z == 0 || z == n - 1 || y == 0 || y == n - 1)
                memcpy(result, row, (size_t)n * sizeof *row);
            else
                compute_row(n, height, row, result);
        }
}

static void parallel(const struct shared *shared)
{
    int first = shared->low - (shared->low > 0), height = shared->high + (shared->high < shared->n) - first;
    for (int step = 0; step < steps(); step++) {
        preload(shared, step);
        compute(shared->n, shared->low, shared->high, first, height, shared->local, shared->next);
        reflect(shared, step + 1);
    }
}

static double digest(int n, int first, int end, const double *values)
{
    double sum = 0;
    size_t i = 0;
    for (int z = first; z < end; z++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++)
                sum += values[i++] * start_value(n, z, y, x);
    return sum;
}

static void serial(double *results)
{
    int n = size();
    size_t points = (size_t)n * (size_t)n * (size_t)n, i = 0;
    double *from = app_allocate(points, sizeof(double)), *to = app_allocate(points, sizeof(double));
    for (int z = 0; z < n; z++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++)
                from[i++] = start_value(n, z, y, x);
    for (int step = 0; step < steps(); step++) {
        compute(n, 0, n, 0, n, from, to);
        double *old = from;
        from = to;
        to = old;
    }
    *results = digest(n, 0, n, from);
}

int main(int argc, char **argv)
{
    double results[RESULTS] = { 0 }, mine, start, seconds;
    MPI_Init(&argc, &argv);
    app_start("stencil", argc, argv);
    struct shared shared = make_shared();
    start = app_clock_start();
    parallel(&shared);
    seconds = app_clock_stop(start);
    mine = digest(shared.n, shared.first, shared.end, &shared.home[array_of(&shared, app_rank, steps())]);
    MPI_Reduce(&mine, results, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    app_verify(results, RESULTS, 1e-12, serial);
    free_shared(&shared);
    app_finish(seconds);
    return 0;
}
