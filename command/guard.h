// SPDX-License-Identifier: BSD-3-Clause
// The parts of the guard. They are in one library, and none calls the loader
// from a signal handler or from a child of vfork().
#ifndef GUARD_H
#define GUARD_H

#define GUARD_LIST "MPI_ADAPTER_PRELOAD"       // the guard and the pair's libraries, its MPI first
#define GUARD_PATHS "MPI_ADAPTER_LIBRARY_PATH" // what LD_LIBRARY_PATH was for the ranks; gone where MPI was started

// Returns the path of the guard if a process with this environment is to have it, or NULL.
const char *guard_of(char *const *environment);

// Sets a variable of this process, which keeps the text.
void guard_set_variable(const char *name, const char *value);

// Ends the process with a message if it used an MPI in place of the pair's.
void guard_check(void);

// Finds the functions that guard_exec.c stands in front of.
void guard_find_next(void);

#endif
