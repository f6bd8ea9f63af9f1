/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared by the kernels in C: options, the clock, and the check of results.
 *
 *   KERNEL quick|full [REFERENCE [STEPS]]
 *
 * The size says how large the problem is and how many steps it takes; with STEPS no more than these.
 * Rank 0 compares the results with the serial result, which it reads from the
 * file REFERENCE, or computes (and keeps in that file) where there is none. It
 * then prints "KERNEL SECONDS". A wrong result ends the job.
 */
#ifndef APP_H
#define APP_H

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APP_UNUSED __attribute__((unused))

static int app_rank, app_ranks, app_quick, app_most_steps;
static const char *app_name, *app_reference;

/* Prints the failure and ends the job. */
__attribute__((format(printf, 1, 2), noreturn)) APP_UNUSED
static void app_fail(const char *format, ...)
{
    char text[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s, rank %d: %s\n", app_name, app_rank, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

/* Reads the options.  To be called after MPI_Init. */
APP_UNUSED static void app_start(const char *name, int argc, char **argv)
{
    app_name = name;
    MPI_Comm_rank(MPI_COMM_WORLD, &app_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &app_ranks);
    app_most_steps = argc > 3 ? atoi(argv[3]) : INT_MAX;
    if (argc < 2 || argc > 4 || (strcmp(argv[1], "quick") != 0 && strcmp(argv[1], "full") != 0) || app_most_steps < 1)
        app_fail("usage: %s quick|full [REFERENCE [STEPS]]", name);
    app_quick = strcmp(argv[1], "quick") == 0;
    app_reference = argc > 2 ? argv[2] : NULL;
}

/* Returns the steps to take: those of the size, but no more than STEPS. */
APP_UNUSED static int app_steps(int quick, int full)
{
    int steps = app_quick ? quick : full;
    return steps < app_most_steps ? steps : app_most_steps;
}

/* Returns zeroed memory on a boundary of cache lines, so that speed does not depend on earlier allocations.  Fails the job
 * if memory runs out. */
APP_UNUSED static void *app_allocate(size_t count, size_t size)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 64, count * size + 1) != 0)
        app_fail("no memory for %zu times %zu bytes", count, size);
    return memset(memory, 0, count * size + 1);
}

/* Returns the first item of a part, if `count` items are split over `parts`. */
APP_UNUSED static int app_first(int count, int parts, int part)
{
    return (int)((int64_t)count * part / parts);
}

/* Returns a value from 0 to below 1 that depends on the number alone. */
APP_UNUSED static double app_noise(uint64_t number)
{
    number += UINT64_C(0x9e3779b97f4a7c15);
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((number ^ number >> 31) >> 11) * 0x1p-53;
}

/* Waits for all ranks, and returns the time in seconds. */
APP_UNUSED static double app_clock_start(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

/* Returns at rank 0 the seconds that the slowest rank took. */
APP_UNUSED static double app_clock_stop(double start)
{
    double mine = MPI_Wtime() - start, all = 0;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return all;
}

/* Reads the reference.  Returns 0 if the file does not exist. */
APP_UNUSED static int app_read_reference(double *values, int count)
{
    FILE *file = app_reference ? fopen(app_reference, "r") : NULL;
    if (!file)
        return 0;
    for (int i = 0; i < count; i++)
        if (fscanf(file, "%lf", &values[i]) != 1)
            app_fail("%s has fewer than %d numbers", app_reference, count);
    fclose(file);
    return 1;
}

/* Writes the reference.  The file appears whole or not at all. */
APP_UNUSED static void app_write_reference(const double *values, int count)
{
    char name[4096];
    snprintf(name, sizeof name, "%s.new", app_reference);
    FILE *file = fopen(name, "w");
    if (!file)
        app_fail("%s: %s", name, strerror(errno));
    for (int i = 0; i < count; i++)
        fprintf(file, "%.17g\n", values[i]);
    if (fclose(file) != 0 || rename(name, app_reference) != 0)
        app_fail("%s: %s", app_reference, strerror(errno));
}

/* Compares rank 0's results with the serial ones, which serial() can compute. */
APP_UNUSED static void app_verify(const double *got, int count, double tolerance, void (*serial)(double *))
{
    double want[256];
    if (app_rank != 0)
        return;
    if (!app_read_reference(want, count)) {
        serial(want);
        if (app_reference)
            app_write_reference(want, count);
    }
    for (int i = 0; i < count; i++)
        if (!(fabs(got[i] - want[i]) <= tolerance * fabs(want[i])))
            app_fail("result %d is %.17g, not %.17g", i, got[i], want[i]);
}

/* Prints the result line, and finalizes MPI. */
APP_UNUSED static void app_finish(double seconds)
{
    if (app_rank == 0)
        printf("%s %.6f\n", app_name, seconds);
    MPI_Finalize();
}

#endif
