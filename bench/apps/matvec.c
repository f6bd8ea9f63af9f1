/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Power iterations with a matrix in shared memory that is distributed by
 * blocks of rows over all ranks' windows, round and round. Each rank computes a
 * stretch of rows: it preloads the next blocks in bulk while it multiplies with
 * one, and puts the results to where the blocks live.
 */
#include "app.h"

enum { BLOCK = 8, AHEAD = 4, RESULTS = 2 };

struct shared {
    int n, blocks, steps;
    double *rows, *vector;     /* in windows: this rank's blocks of the matrix and of the vector */
    MPI_Win matrix_window, vector_window;
};

static int size(void)
{
    return app_quick ? 256 : 1024;
}

static int steps(void)
{
    return app_steps(5, 800);
}

static void fill_row(int n, int row, double *values)
{
    for (int column = 0; column < n; column++)
        values[column] = app_noise((uint64_t)row * (uint64_t)n + (uint64_t)column) / n;
}

static int home_of(int block)
{
    return block % app_ranks;
}

/* Which one of its home's blocks it is. */
static int place_of(int block)
{
    return block / app_ranks;
}

static struct shared make_shared(void)
{
    struct shared shared = { .n = size(), .steps = steps() };
    shared.blocks = shared.n / BLOCK;
    MPI_Aint mine = (shared.blocks + app_ranks - 1) / app_ranks * BLOCK, item = sizeof(double);
    MPI_Win_allocate(mine * shared.n * item, (int)item, MPI_INFO_NULL, MPI_COMM_WORLD, &shared.rows,
                     &shared.matrix_window);
    MPI_Win_allocate(mine * item, (int)item, MPI_INFO_NULL, MPI_COMM_WORLD, &shared.vector, &shared.vector_window);
    MPI_Win_lock_all(0, shared.matrix_window);
    MPI_Win_lock_all(0, shared.vector_window);
    for (int block = app_rank; block < shared.blocks; block += app_ranks)
        for (int row = 0; row < BLOCK; row++) {
            size_t local = (size_t)(place_of(block) * BLOCK + row);
            fill_row(shared.n, block * BLOCK + row, &shared.rows[local * (size_t)shared.n]);
            shared.vector[local] = 1;
        }
    return shared;
}

static void free_shared(struct shared *shared)
{
    MPI_Win_unlock_all(shared->vector_window);
    MPI_Win_unlock_all(shared->matrix_window);
    MPI_Win_free(&shared->vector_window);
    MPI_Win_free(&shared->matrix_window);
}

/* Makes this rank's data visible to the others, and theirs to this rank. */
static void synchronize(const struct shared *shared)
{
    MPI_Win_sync(shared->matrix_window);
    MPI_Win_sync(shared->vector_window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(shared->matrix_window);
    MPI_Win_sync(shared->vector_window);
}

/* Starts the transfer of a block, except of one that lives here. */
static void preload(const struct shared *shared, int block, double *buffer, MPI_Request *request)
{
    int count = BLOCK * shared->n;
    *request = MPI_REQUEST_NULL;
    if (home_of(block) != app_rank)
        MPI_Rget(buffer, count, MPI_DOUBLE, home_of(block), (MPI_Aint)place_of(block) * count, count,
                 MPI_DOUBLE, shared->matrix_window, request);
}

static void multiply(int n, const double *rows, const double *vector, double *result)
{
    for (int row = 0; row < BLOCK; row++) {
        double sum = 0;
        for (int column = 0; column < n; column++)
            sum += rows[row * n + column] * vector[column];
        result[row] = sum;
    }
}

/* The whole vector: the blocks of one home, spread over their places by a datatype. */
static void fetch_vector(const struct shared *shared, double *whole)
{
    for (int home = 0; home < app_ranks && home < shared->blocks; home++) {
        int count = (shared->blocks - home + app_ranks - 1) / app_ranks;
        MPI_Datatype spread;
        MPI_Type_vector(count, BLOCK, BLOCK * app_ranks, MPI_DOUBLE, &spread);
        MPI_Type_commit(&spread);
        MPI_Get(&whole[home * BLOCK], 1, spread, home, 0, count * BLOCK, MPI_DOUBLE, shared->vector_window);
        MPI_Type_free(&spread);
    }
    MPI_Win_flush_all(shared->vector_window);
}

/* Multiplies this rank's stretch of rows and puts the results; returns their maximum. */
static double multiply_stretch(const struct shared *shared, const double *whole, double *buffers, double *results)
{
    int first = app_first(shared->blocks, app_ranks, app_rank), end = app_first(shared->blocks, app_ranks, app_rank + 1);
    size_t block_size = (size_t)BLOCK * (size_t)shared->n;
    double largest = 0;
    MPI_Request requests[AHEAD];
    for (int block = first; block < first + AHEAD && block < end; block++)
        preload(shared, block, &buffers[(size_t)(block % AHEAD) * block_size], &requests[block % AHEAD]);
    for (int block = first; block < end; block++) {
        double *buffer = &buffers[(size_t)(block % AHEAD) * block_size], *result = &results[(block - first) * BLOCK];
        MPI_Wait(&requests[block % AHEAD], MPI_STATUS_IGNORE);
        if (home_of(block) == app_rank)
            multiply(shared->n, &shared->rows[(size_t)place_of(block) * block_size], whole, result);
        else
            multiply(shared->n, buffer, whole, result);
        if (block + AHEAD < end)
            preload(shared, block + AHEAD, buffer, &requests[block % AHEAD]);
        for (int row = 0; row < BLOCK; row++)
            largest = fmax(largest, result[row]);
    }
    return largest;
}

static void put_stretch(const struct shared *shared, const double *results)
{
    int first = app_first(shared->blocks, app_ranks, app_rank), end = app_first(shared->blocks, app_ranks, app_rank + 1);
    for (int block = first; block < end; block++)
        MPI_Put(&results[(block - first) * BLOCK], BLOCK, MPI_DOUBLE, home_of(block),
                (MPI_Aint)place_of(block) * BLOCK, BLOCK, MPI_DOUBLE, shared->vector_window);
    MPI_Win_flush_all(shared->vector_window);
}

static double digest(const double *whole, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += whole[i] * app_noise((uint64_t)i);
    return sum;
}

static void parallel(const struct shared *shared, double *answer)
{
    size_t n = (size_t)shared->n;
    double *whole = app_allocate(n, sizeof(double)), *results = app_allocate(n, sizeof(double));
    double *buffers = app_allocate(AHEAD * BLOCK * n, sizeof(double)), mine, largest = 0;
    for (int step = 0; step < shared->steps; step++) {
        synchronize(shared);
        fetch_vector(shared, whole);
        mine = multiply_stretch(shared, whole, buffers, results);
        MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        for (size_t i = 0; i < n; i++)
            results[i] /= largest;
        put_stretch(shared, results);
    }
    synchronize(shared);
    fetch_vector(shared, whole);
    answer[0] = largest;
    answer[1] = digest(whole, shared->n);
}

static void serial(double *answer)
{
    size_t n = (size_t)size();
    double *matrix = app_allocate(n * n, sizeof(double)), *vector = app_allocate(n, sizeof(double));
    double *result = app_allocate(n, sizeof(double)), largest = 0;
    for (size_t row = 0; row < n; row++) {
        fill_row((int)n, (int)row, &matrix[row * n]);
        vector[row] = 1;
    }
    for (int step = 0; step < steps(); step++) {
        largest = 0;
        for (size_t row = 0; row < n; row += BLOCK)
            multiply((int)n, &matrix[row * n], vector, &result[row]);
        for (size_t row = 0; row < n; row++)
            largest = fmax(largest, result[row]);
        for (size_t row = 0; row < n; row++)
            vector[row] = result[row] / largest;
    }
    answer[0] = largest;
    answer[1] = digest(vector, (int)n);
}

int main(int argc, char **argv)
{
    double answer[RESULTS], start, seconds;
    MPI_Init(&argc, &argv);
    app_start("matvec", argc, argv);
    struct shared shared = make_shared();
    start = app_clock_start();
    parallel(&shared, answer);
    seconds = app_clock_stop(start);
    app_verify(answer, RESULTS, 1e-12, serial);
    free_shared(&shared);
    app_finish(seconds);
    return 0;
}
