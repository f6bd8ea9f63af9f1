// SPDX-License-Identifier: BSD-3-Clause
// The parts of the guard. They are in one library, and none calls the loader
// from a signal handler or from a child of vfork().
#ifndef GUARD_H
#define GUARD_H

#define GUARD_LIST "MPI_ADAPTER_PRELOAD"       // the guard and the pair's libraries, its MPI first
#define GUARD_PATHS "MPI_ADAPTER_LIBRARY_PATH" // what LD_LIBRARY_PATH was for the ranks; gone where MPI was started

#include <stdbool.h>

// Ends the process with a message, which is a line.
void guard_end_with(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

// Returns whether an MPI is linked into the program, or into a library of this process.
bool guard_has_inside(void);

// Returns the path of a library with an MPI linked in that has begun with it, as far as is known, unless that MPI's launcher started the process:
// `is_started_by` is asked by the words that the MPI says of itself. Returns NULL without one.
const char *guard_find_begun(bool is_started_by(const char *version));

// Returns the path of the guard if a process with this environment is to have it, or NULL.
const char *guard_of(char *const *environment);

// Sets a variable of this process, which keeps the text.
void guard_set_variable(const char *name, const char *value);

// Ends the process with a message if it used an MPI in place of the pair's.
void guard_check(void);

// Finds the functions that guard_exec.c stands in front of.
void guard_find_next(void);

#endif
