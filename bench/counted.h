/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of calls whose cost is measured: by steps.c, which counts their instructions, or else by the clock,
 * which prints "KIND <tab> NANOSECONDS" of a call.
 * A block is run in batches of `calls` calls; the first one warms up and does not count. Nothing
 * here knows MPI, so that programs in other languages can use it too. */
#ifndef COUNTED_H
#define COUNTED_H

/* The calls that follow are of one kind; `procedures` are those whose own cost is meant. */
void counted_begin(const char *kind, const char *procedures, int calls);

/* How many calls are made where so many are meant: fewer when each instruction takes a step. */
int counted_calls(int number);

/* In the blocks that follow the library calls the program back. */
void counted_callbacks(int yes);

/* True if another batch is to be run; after the last one the result is written. */
int counted_batch(void);

/* Only BENCH_BATCHES batches, as many as every other rank makes, and only the rank that is
 * `writing` says what they cost. */
void counted_together(int writing);

#define COUNT(kind, procedures, calls, call)                                                       \
    do {                                                                                           \
        int counted = counted_calls(calls);                                                        \
        counted_begin(kind, procedures, counted);                                                  \
        while (counted_batch())                                                                    \
            for (int i = 0; i < counted; i++)                                                      \
                call;                                                                              \
    } while (0)

#endif
