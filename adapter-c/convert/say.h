/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages to the user, on stderr. */
#ifndef SAY_H
#define SAY_H

#include "convert/types.h"

/* Writes one line on stderr: "mpi-adapter: what is wrong; what to do". */
COLD void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Writes such a line, and ends the process with status 1. Within attempt(), attempt() returns the line instead. */
COLD void give_up(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Does the same where memory has run out; `when` says at what: "while isolating the host's MPI". */
COLD void give_up_memory(const char *when) __attribute__((noreturn));

/* Calls `work`. Returns null, or the line of give_up() if `work` called that in this thread. */
const char *attempt(void (*work)(void));

/* Sets whether give_up() ends the process even within attempt(), as it must if the caller holds a lock. Returns the former
 * setting. */
int attempt_suspend(int suspended);

/* Writes such a line, and ends the process. */
COLD void give_up_with(const char *line) __attribute__((noreturn));

#endif
