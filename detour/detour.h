/* SPDX-License-Identifier: BSD-3-Clause */
/* The library that is preloaded into a dynamic executable whose MPI is linked in. It leads each procedure of the MPI inside to a pair's
 * library, so that the program runs on the machine's MPI, and nothing of the MPI inside runs.
 *
 *   detour.c    does so when the process starts, in this order; nothing is written before everything is known to work
 *   program.c   the executable, by its file and in memory
 *   inside.c    which MPI is inside, by abi-tables/implementations
 *   pair.c      the pair that the user chose, and the names that its libraries have
 *   provider.c  gives the pair's libraries the program's variables for constants
 *   plan.c      decides which functions get which code
 *   code.c      jumps of this architecture
 *   patch.c     writes code */
#ifndef DETOUR_H
#define DETOUR_H

#include <stddef.h>

/* Writes "mpi-adapter: what is wrong; what to do" on stderr and ends the process. */
void give_up(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Changes the size of memory from malloc(), or null, and gives up if there is no more. */
void *allocate(void *old, size_t size);

/* Stands for a procedure that the pair's libraries lack: names it, and ends the process. */
void give_up_procedure(const char *name) __attribute__((noreturn));

#endif
