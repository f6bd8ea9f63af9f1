/* SPDX-License-Identifier: BSD-3-Clause */
/* Loading the host's MPI and isolating it: its own calls to MPI_ and PMPI_ procedures must reach
 * itself, although the application's scope offers the adapter's entry points first. */
#ifndef LOAD_H
#define LOAD_H

#include "host.h"

/* Loads the host's MPI, or ends the process. To be called once, by the library's constructor. `stand_in` gives what answers
 * for a procedure that the host lacks; `known` is called when the table of the host's procedures is complete. */
void load_start(mpi_function *(*stand_in)(int procedure), void (*known)(void));

/* The host's procedure of a name that is not in the table of its procedures; null if it has none. */
mpi_function *load_extension(const char *name);

/* Before MPI is initialized: by now the process is known to be an MPI program. */
void load_begun(void);

/* After MPI_Init, or after the host's own MPI_Session_init: stops a process that is alone although it
 * was started as one of several; proves isolation again, of everything that was loaded meanwhile, too. Sessions begin often
 * in some programs: where nothing was loaded since the last proof, that one holds. The first returns whether MPI is
 * initialized. */
int load_started(void);
void load_session_started(host_session session);

/* Counts entries into a procedure of ours that the host is asked for at load: if the count moves,
 * the host's procedure is not the host's. */
extern int load_probe_entered;

#endif
