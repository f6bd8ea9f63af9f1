/* SPDX-License-Identifier: BSD-3-Clause */
/* The library that is preloaded into a dynamic executable whose MPI is linked in, or into a library that it needs. It leads each procedure of the MPI inside to a pair's
 * library, so that the program runs on the machine's MPI, and nothing of the MPI inside runs.
 *
 *   detour.c    does so when the process starts, in this order; nothing is written before everything is known to work
 *   program.c   the executable or the library that has an MPI linked in, by its file and in memory
 *   inside.c    which MPI is inside, by abi-tables/implementations
 *   pair.c      the pair that the user chose, and the names that its libraries have
 *   load.c      loads it
 *   provider.c  gives the pair's libraries the program's variables for constants
 *   plan.c      decides which functions get which code
 *   code.c      jumps of this architecture
 *   patch.c     writes code
 *   look.c      is not in it: by this the command knows ahead what would come of it, by the files alone */
#ifndef DETOUR_H
#define DETOUR_H

#include <stddef.h>

/* Says "what is wrong; what to do", and does not return: detour.c ends the process, and look.c what looks at a file. */
void refuse_program(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Changes the size of memory from malloc(), or null, and refuses the program if there is no more. */
void *allocate(void *old, size_t size);

/* Stands for a procedure that the pair's libraries lack: names it, and ends the process. */
void refuse_call(const char *name) __attribute__((noreturn));

/* Returns the path of the library. */
const char *own_path(void);

#endif
