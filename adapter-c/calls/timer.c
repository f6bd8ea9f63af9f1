/* SPDX-License-Identifier: BSD-3-Clause */
/* Timers, MPI-4.1 section 9.6. Some MPIs answer before MPI_Init and after MPI_Finalize, too, and programs measure
 * their own start so. Others end the program. Before and after, the adapter reads the clock itself. */
#include "calls/timer.h"

#include <time.h>

#include "convert/procedure.h"
#include "host.h"

#define NANOSECOND 1e-9

/* Added to the clock: after MPI_Finalize, times continue from the host's. */
static double offset;
/* A program that has asked before MPI_Init stays with this clock, for the host's may begin elsewhere. */
static int was_asked;

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * NANOSECOND;
}

static double clock_time(void)
{
    __atomic_store_n(&was_asked, 1, __ATOMIC_RELAXED);
    return clock_now() + offset;
}

/* The host's procedure, or clock_time(). */
static double (*timer)(void) = clock_time;

static int uses_clock(void)
{
    return __atomic_load_n(&timer, __ATOMIC_RELAXED) == clock_time;
}

void timer_begin(void)
{
    if (!__atomic_load_n(&was_asked, __ATOMIC_RELAXED))
        __atomic_store_n(&timer, host.MPI_Wtime, __ATOMIC_RELAXED);
}

void timer_end(void)
{
    if (uses_clock())
        return;
    offset = timer() - clock_now();
    __atomic_store_n(&timer, clock_time, __ATOMIC_RELEASE);
}

PROCEDURE(double, MPI_Wtime, void)
{
    return timer();
}

PROCEDURE(double, MPI_Wtick, void)
{
    return uses_clock() ? NANOSECOND : host.MPI_Wtick();
}
