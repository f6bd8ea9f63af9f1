/* SPDX-License-Identifier: BSD-3-Clause */
/* Procedures that MPI-4.1 section 11.4.1 allows before MPI is initialized and after it is finalized, on a host that aborts
 * the program then. */
#ifndef EARLY_H
#define EARLY_H

enum host_phase { NOT_STARTED, RUNS, HAS_ENDED };

/* Returns the phase that the host's MPI is in. */
enum host_phase host_phase(void);

/* Runs after the host's MPI has been initialized, by the program or for a session. */
void host_started(void);

/* Starts the host's MPI, unless it runs, before the program initializes it. Returns an error code of the host's. */
int host_start(void);

/* Installs the layer LAYER_EARLY on a host without sessions. To be called once, when the adapter is loaded. */
void early_begin(void);

#endif
