/* SPDX-License-Identifier: BSD-3-Clause */
/* Who started this process. */
#ifndef LAUNCHER_H
#define LAUNCHER_H

/* The rank that the launcher gave this process, or -1. */
int launcher_rank(void);

/* What messages call the launcher that gave it, or that there is none. */
const char *launcher_name(void);

/* How many programs the launcher was given; 0 if it does not tell. The ranks of one program are alike; of several, some may
 * run without the adapter. */
int launcher_programs(void);

/* Ends the process if the host's MPI_COMM_WORLD has one process, which no program of MPI's spawned, but
 * the process was started as one of several: by a launcher that the host does not know, so that each of
 * them is rank 0 of 1. To be called when MPI has been initialized; `size` is that of the world. */
void launcher_check(int size);

#endif
