/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of calls whose cost is measured: by steps.c, which counts their instructions, or else by the clock,
 * which prints "KIND <tab> NANOSECONDS" of a call.
 * A block is run in batches of `calls` calls; the first one warms up and does not count. Nothing
 * here knows MPI, so that programs in other languages can use it too. */
#ifndef COUNTED_H
#define COUNTED_H

/* Begins a block of calls of one kind.  `procedures` are those whose own cost is meant. */
void counted_begin(const char *kind, const char *procedures, int calls);

/* Returns how many calls to make instead of `number`: fewer if each instruction is stepped through. */
int counted_calls(int number);

/* Tells whether the library calls the program back in the blocks that follow. */
void counted_callbacks(int yes);

/* Returns whether another batch is to be run; after the last one the result is written. */
int counted_batch(void);

/* Limits the blocks that follow to BENCH_BATCHES batches, as many as every other rank makes. Only the rank that is
 * `writing` reports the cost. */
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
