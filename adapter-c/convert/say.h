/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages to the user, on stderr. */
#ifndef SAY_H
#define SAY_H

#include "convert/types.h"

/* One line on stderr, as "mpi-adapter: what; what to do". */
COLD void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, then the process ends with status 1; within attempt(), that returns instead. */
COLD void give_up(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Calls `work`. Returns null, or, where that gave up in this thread, the line that give_up() would have written. */
const char *attempt(void (*work)(void));

/* Whether give_up() ends the process even within attempt(): whoever calls it holds a lock. Returns what it was. */
int attempt_suspend(int suspended);

/* Writes such a line, and ends the process. */
COLD void give_up_with(const char *line) __attribute__((noreturn));

#endif
