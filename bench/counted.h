/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of calls whose cost is measured: under callgrind, which writes a profile of each, described
 * by "KIND CALLS PROCEDURE...", or else by the clock, which prints "KIND <tab> NANOSECONDS" of a call.
 * A block is run in batches of `calls` calls; the first one warms up and does not count. Nothing
 * here knows MPI, so that programs in other languages can use it too. */
#ifndef COUNTED_H
#define COUNTED_H

/* What follows is one kind of calls; `procedures` are those whose own cost is meant. */
void counted_begin(const char *kind, const char *procedures, int calls);

/* True if another batch is to be run; after the last one the result is written. */
int counted_batch(void);

/* Only BENCH_BATCHES batches, as many as every other rank makes, and only the rank that is
 * `writing` says what they cost. */
void counted_together(int writing);

#define COUNT(kind, procedures, calls, call)                                                       \
    do {                                                                                           \
        counted_begin(kind, procedures, calls);                                                    \
        while (counted_batch())                                                                    \
            for (int i = 0; i < (calls); i++)                                                      \
                call;                                                                              \
    } while (0)

#endif
