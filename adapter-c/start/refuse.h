/* SPDX-License-Identifier: BSD-3-Clause */
/* A library whose host cannot be had, and that was opened by dlopen(), cannot make that fail, and may not end the process:
 * a program may be able to do without MPI. */
#ifndef REFUSE_H
#define REFUSE_H

/* Writes a line of attempt()'s and ends the process, if the program was started with the adapter: the program needs it, by
 * way of other libraries or not, or LD_PRELOAD names it. Otherwise calls of MPI's do that from now on, and MPI_Initialized
 * and MPI_Finalized, which programs ask at their end, say no. */
void refuse(const char *line);

#endif
