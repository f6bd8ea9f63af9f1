/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a process whose host cannot be loaded. An adapter that was opened by dlopen() cannot make that call fail, and
 * may not end the process, because the program may be able to do without MPI. */
#ifndef REFUSE_H
#define REFUSE_H

/* Writes a line that attempt() returned and ends the process, if the program was started with the adapter: the program
 * needs it, by way of other libraries or not, or LD_PRELOAD names it. Otherwise the first call of MPI does that.
 * MPI_Initialized and MPI_Finalized, which programs call at their end, return false. */
void refuse(const char *line);

#endif
