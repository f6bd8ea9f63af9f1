/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Embarrassingly parallel: pairs of Gaussian deviates, counted by square
 * annuli. Parameters are broadcast; sums and counts are reduced.
 */
#include "app.h"

enum { BATCH = 1 << 14, ANNULI = 10, RESULTS = ANNULI + 2 };

#define MODULUS_MASK ((UINT64_C(1) << 46) - 1)
#define MULTIPLIER UINT64_C(1220703125)

struct parameters {
    int64_t batches, seed;
};

static uint64_t power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1, base = base * base & MODULUS_MASK)
        if (exponent & 1)
            result = result * base & MODULUS_MASK;
    return result;
}

static double next(uint64_t *state)
{
    *state = *state * MULTIPLIER & MODULUS_MASK;
    return (double)*state * 0x1p-45 - 1;
}

/* results: the counts of the annuli, then the sums of both deviates. */
static void one_batch(const struct parameters *parameters, int64_t number, double *results)
{
    uint64_t state = (uint64_t)parameters->seed * power(MULTIPLIER, 2 * BATCH * (uint64_t)number) & MODULUS_MASK;
    double sum_x = 0, sum_y = 0;
    for (int i = 0; i < BATCH; i++) {
        double x = next(&state), y = next(&state), square = x * x + y * y;
        if (square > 1)
            continue;
        double factor = sqrt(-2 * log(square) / square), larger;
        x *= factor;
        y *= factor;
        larger = fmax(fabs(x), fabs(y));
        results[larger < ANNULI ? (int)larger : ANNULI - 1]++;
        sum_x += x;
        sum_y += y;
    }
    results[ANNULI] += sum_x;
    results[ANNULI + 1] += sum_y;
}

static struct parameters chosen(void)
{
    return (struct parameters){ app_quick ? 64 : 3200, 271828183 };
}

static void serial(double *results)
{
    struct parameters parameters = chosen();
    memset(results, 0, RESULTS * sizeof *results);
    for (int64_t number = 0; number < parameters.batches; number++)
        one_batch(&parameters, number, results);
}

static void parallel(double *results)
{
    struct parameters parameters = { 0, 0 };
    double mine[RESULTS] = { 0 };
    if (app_rank == 0)
        parameters = chosen();
    MPI_Bcast(&parameters.batches, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    MPI_Bcast(&parameters.seed, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    for (int64_t number = app_rank; number < parameters.batches; number += app_ranks)
        one_batch(&parameters, number, mine);
    MPI_Allreduce(mine, results, ANNULI, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&mine[ANNULI], &results[ANNULI], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&mine[ANNULI + 1], &results[ANNULI + 1], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    double results[RESULTS], start, seconds;
    MPI_Init(&argc, &argv);
    app_start("ep", argc, argv);
    start = app_clock_start();
    parallel(results);
    seconds = app_clock_stop(start);
    app_verify(results, RESULTS, 1e-9, serial);
    app_finish(seconds);
    return 0;
}
