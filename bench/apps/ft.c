/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A partial differential equation by 3-D Fourier transforms: planes are
 * transformed where they are, then transposed all to all for the third
 * dimension. Each step's checksum is reduced.
 */
#include "app.h"
#include <complex.h>

enum { MOST_STEPS = 110, SAMPLES = 1024 };

/* One rank's planes of an n x n x n grid. In space: [z of mine][y][x]. In
 * frequency: [y of mine][x][z]. */
struct part {
    int n, ranks, rank, mine;
    double complex *space, *frequency, *buffer, *other, *roots;
    MPI_Comm comm;  /* MPI_COMM_NULL: the whole grid is here */
};

static int steps(void)
{
    return app_steps(3, MOST_STEPS);
}

/* In place, n a power of two; direction 1 or -1. */
static void transform_line(const struct part *part, double complex *line, int direction)
{
    int n = part->n;
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex old = line[i];
            line[i] = line[j];
            line[j] = old;
        }
    }
    for (int length = 2; length <= n; length *= 2)
        for (int begin = 0; begin < n; begin += length)
            for (int k = 0; k < length / 2; k++) {
                double complex root = part->roots[k * (n / length)];
                double real = creal(root), imaginary = direction * cimag(root);
                double complex *low = &line[begin + k], *high = low + length / 2;
                double x = creal(*high) * real - cimag(*high) * imaginary;
                double y = creal(*high) * imaginary + cimag(*high) * real;
                double complex turned = CMPLX(x, y);
                *high = *low - turned;
                *low += turned;
            }
}

static void transform_x(const struct part *part, int direction)
{
    for (int line = 0; line < part->mine * part->n; line++)
        transform_line(part, &part->space[(size_t)line * (size_t)part->n], direction);
}

static void transform_y(const struct part *part, int direction)
{
    size_t n = (size_t)part->n;
    double complex line[256];
    for (size_t z = 0; z < (size_t)part->mine; z++)
        for (size_t x = 0; x < n; x++) {
            double complex *column = &part->space[z * n * n + x];
            for (size_t y = 0; y < n; y++)
                line[y] = column[y * n];
            transform_line(part, line, direction);
            for (size_t y = 0; y < n; y++)
                column[y * n] = line[y];
        }
}

static void transform_z(const struct part *part, int direction)
{
    for (int line = 0; line < part->mine * part->n; line++)
        transform_line(part, &part->frequency[(size_t)line * (size_t)part->n], direction);
}

static void swap_blocks(const struct part *part)
{
    size_t block = (size_t)(part->mine * part->mine * part->n);
    if (part->comm == MPI_COMM_NULL)
        memcpy(part->other, part->buffer, block * sizeof *part->other);
    else
        MPI_Alltoall(part->buffer, (int)block, MPI_C_DOUBLE_COMPLEX, part->other, (int)block,
                     MPI_C_DOUBLE_COMPLEX, part->comm);
}

/* The block of a rank is [y of the frequency's owner][x][z of the space's owner]. */
static void to_frequency(const struct part *part)
{
    size_t n = (size_t)part->n, m = (size_t)part->mine;
    for (size_t z = 0; z < m; z++)
        for (size_t y = 0; y < n; y++)
            for (size_t x = 0; x < n; x++)
                part->buffer[(y * n + x) * m + z] = part->space[(z * n + y) * n + x];
    swap_blocks(part);
    for (size_t owner = 0; owner < n / m; owner++)
        for (size_t line = 0; line < m * n; line++)
            memcpy(&part->frequency[line * n + owner * m], &part->other[(owner * m * n + line) * m],
                   m * sizeof *part->frequency);
}

static void to_space(const struct part *part, const double complex *from)
{
    size_t n = (size_t)part->n, m = (size_t)part->mine;
    for (size_t owner = 0; owner < n / m; owner++)
        for (size_t line = 0; line < m * n; line++)
            memcpy(&part->buffer[(owner * m * n + line) * m], &from[line * n + owner * m],
                   m * sizeof *part->buffer);
    swap_blocks(part);
    for (size_t z = 0; z < m; z++)
        for (size_t y = 0; y < n; y++)
            for (size_t x = 0; x < n; x++)
                part->space[(z * n + y) * n + x] = part->other[(y * n + x) * m + z];
}

static int wave(int n, int index)
{
    return index < n / 2 ? index : index - n;
}

/* Each frequency decays by its own factor, once for each step. */
static void evolve(const struct part *part, double complex *spectrum, const double *decay)
{
    int n = part->n, first = part->rank * part->mine;
    size_t i = 0;
    for (int y = 0; y < part->mine; y++)
        for (int x = 0; x < n; x++)
            for (int z = 0; z < n; z++, i++)
                spectrum[i] *= decay[abs(wave(n, first + y))] * decay[abs(wave(n, x))] * decay[abs(wave(n, z))];
}

static void checksum(const struct part *part, double *result)
{
    int n = part->n, first = part->rank * part->mine;
    double complex sum = 0;
    for (int sample = 1; sample <= SAMPLES; sample++) {
        int x = sample % n, y = 3 * sample % n, z = 5 * sample % n;
        if (z >= first && z < first + part->mine)
            sum += part->space[((size_t)(z - first) * (size_t)n + (size_t)y) * (size_t)n + (size_t)x];
    }
    if (part->comm == MPI_COMM_NULL)
        memcpy(result, &sum, sizeof sum);
    else
        MPI_Reduce(&sum, result, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, 0, part->comm);
}

static struct part make_part(int ranks, int rank, MPI_Comm comm)
{
    struct part part = { .n = app_quick ? 32 : 64, .ranks = ranks, .rank = rank, .comm = comm };
    if (part.n % ranks != 0)
        app_fail("the number of ranks must divide %d", part.n);
    part.mine = part.n / ranks;
    size_t n = (size_t)part.n, points = (size_t)part.mine * n * n;
    double complex **fields[] = { &part.space, &part.frequency, &part.buffer, &part.other, &part.roots };
    for (int i = 0; i < 5; i++)
        *fields[i] = app_allocate(points, sizeof(double complex));
    for (size_t i = 0; i < n / 2; i++)
        part.roots[i] = CMPLX(cos(2 * M_PI * (double)i / (double)n), sin(2 * M_PI * (double)i / (double)n));
    for (size_t i = 0; i < points; i++) {
        uint64_t number = 2 * ((uint64_t)rank * points + i);
        part.space[i] = CMPLX(app_noise(number), app_noise(number + 1));
    }
    return part;
}

/* Two numbers for each step. */
static void solve(struct part *part, double *results)
{
    size_t points = (size_t)part->mine * (size_t)part->n * (size_t)part->n;
    double complex *spectrum = app_allocate(points, sizeof *spectrum);
    double decay[256];
    for (int i = 0; i <= part->n / 2; i++)
        decay[i] = exp(-1e-4 * i * i);
    transform_x(part, 1);
    transform_y(part, 1);
    to_frequency(part);
    transform_z(part, 1);
    memcpy(spectrum, part->frequency, points * sizeof *spectrum);
    for (int step = 0; step < steps(); step++) {
        evolve(part, spectrum, decay);
        memcpy(part->frequency, spectrum, points * sizeof *spectrum);
        transform_z(part, -1);
        to_space(part, part->frequency);
        transform_y(part, -1);
        transform_x(part, -1);
        checksum(part, &results[2 * step]);
    }
}

static void serial(double *results)
{
    struct part part = make_part(1, 0, MPI_COMM_NULL);
    solve(&part, results);
}

int main(int argc, char **argv)
{
    double results[2 * MOST_STEPS] = { 0 }, start, seconds;
    MPI_Init(&argc, &argv);
    app_start("ft", argc, argv);
    struct part part = make_part(app_ranks, app_rank, MPI_COMM_WORLD);
    start = app_clock_start();
    solve(&part, results);
    seconds = app_clock_stop(start);
    app_verify(results, 2 * steps(), 1e-9, serial);
    app_finish(seconds);
    return 0;
}
