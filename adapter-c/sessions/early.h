/* SPDX-License-Identifier: BSD-3-Clause */
/* Procedures that MPI-4.1 allows before MPI is initialized and after it is finalized (section 11.4.1), on a host that aborts the program
 * for it. */
#ifndef EARLY_H
#define EARLY_H

enum host_phase { NOT_STARTED, RUNS, HAS_ENDED };
enum host_phase host_phase(void);

/* Runs after the host's MPI has been initialized, by the program or for a session. */
void host_started(void);

/* Starts the host's MPI unless it runs, before the program does so. Returns an error code of the host's. */
int host_start(void);

/* To be called once, when the adapter is loaded. */
void early_begin(void);

#endif
