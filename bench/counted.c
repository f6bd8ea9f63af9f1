/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "counted.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <valgrind/callgrind.h>

#define MOST_BATCHES 400
#define FEWEST_BATCHES 5

static char kind[64], procedures[200];
static int calls, batch, batches, silent;
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

static int profiled_batch(void)
{
    char text[300];
    switch (batch++) {
    case 0:
        CALLGRIND_START_INSTRUMENTATION;
        return 1;
    case 1:
        /* Zeroing alone leaves some of what was collected before. */
        CALLGRIND_ZERO_STATS;
        CALLGRIND_TOGGLE_COLLECT;
        return 1;
    default:
        CALLGRIND_TOGGLE_COLLECT;
        snprintf(text, sizeof text, "%s %d %s", kind, calls, procedures);
        CALLGRIND_DUMP_STATS_AT(text);
        return 0;
    }
}

int counted_batch(void)
{
    return RUNNING_ON_VALGRIND ? profiled_batch() : timed_batch();
}
