/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "counted.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST_BATCHES 400
#define FEWEST_BATCHES 5
#define MOST_STEPPED 16

static char kind[64], procedures[200];
static int calls, batch, batches, silent, called_back;
static long long began, total, times[MOST_BATCHES];

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* How long a kind is measured, in ns. */
static long long duration(void)
{
    return getenv("BENCH_QUICK") ? 500000 : 5000000;
}

void counted_together(int writing)
{
    const char *number = getenv("BENCH_BATCHES");
    batches = number ? atoi(number) : 20;
    silent = !writing;
}

void counted_begin(const char *kind_name, const char *procedure_names, int number)
{
    snprintf(kind, sizeof kind, "%s", kind_name);
    snprintf(procedures, sizeof procedures, "%s", procedure_names);
    calls = number;
    batch = 0;
    total = 0;
}

static int compare(const void *one, const void *other)
{
    long long a = *(const long long *)one, b = *(const long long *)other;
    return (a > b) - (a < b);
}

static void print_time(void)
{
    int count = batch - 1;
    qsort(times, (size_t)count, sizeof *times, compare);
    double middle = (double)(times[(count - 1) / 2] + times[count / 2]) / 2;
    if (!silent)
        printf("%s\t%.2f\n", kind, middle / calls);
}

static int timed_batch(void)
{
    long long ended = now();
    if (batch > 1) {
        times[batch - 2] = ended - began;
        total += ended - began;
    }
    int enough = batches ? batch == batches
                         : batch > FEWEST_BATCHES && (total > duration() || batch > MOST_BATCHES);
    if (enough) {
        print_time();
        return 0;
    }
    batch++;
    began = now();
    return 1;
}

/* The steps of a block end here. */
static __attribute__((noinline)) void ended(void)
{
    __asm__ volatile("");
}

/* The second batch is stepped: see steps.c. */
static int stepped_batch(int pipe)
{
    switch (batch++) {
    case 0:
        return 1;
    case 1:
        dprintf(pipe, "%lx %d %s %d %s\n", (unsigned long)(uintptr_t)ended, called_back, kind, calls, procedures);
        raise(SIGTRAP);
        return 1;
    default:
        ended();
        return 0;
    }
}

/* The pipe to who steps, or NULL. */
static const char *steps(void)
{
    return getenv("COUNTED_STEPS");
}

int counted_calls(int number)
{
    return steps() && number > MOST_STEPPED ? MOST_STEPPED : number;
}

void counted_callbacks(int yes)
{
    called_back = yes;
}

int counted_batch(void)
{
    return steps() ? stepped_batch(atoi(steps())) : timed_batch();
}
