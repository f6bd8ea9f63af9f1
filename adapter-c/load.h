/* SPDX-License-Identifier: BSD-3-Clause */
/* Loading the host's MPI and isolating it: its own calls to MPI_ and PMPI_ procedures must reach
 * itself, although the application's scope offers the adapter's entry points first. */
#ifndef LOAD_H
#define LOAD_H

/* Before MPI_Init: stops a program that was started by another implementation's launcher, whose
 * processes would each be rank 0 of 1. By now the process is known to be an MPI program. */
void load_check_launcher(void);

/* After MPI_Init: proves isolation again, for objects that the host loaded meanwhile. */
void load_started(void);

/* Counts entries into a procedure of ours that the host is asked for at load: if the count moves,
 * the host's procedure is not the host's. */
extern int load_probe_entered;

#endif
