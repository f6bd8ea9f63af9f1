/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads the host's MPI and isolates it: its own calls of MPI_ and PMPI_ procedures must reach itself, although the
 * application's scope offers the adapter's entry points first. */
#ifndef LOAD_H
#define LOAD_H

#include "host.h"

/* Loads the host's MPI, or ends the process. To be called once, by the library's constructor. `stand_in` returns the
 * stand-in for a procedure that the host lacks. Calls `known` when the table of the host's procedures is complete. */
void load_start(mpi_function *(*stand_in)(int procedure), void (*known)(void));

/* Returns the number of the procedure of this name, which has `length` characters, in the table of the host's procedures; -1 if it is
 * not there. */
int load_procedure_number(const char *name, size_t length);

/* Returns the host's procedure of a name that is not in the table of its procedures; null if the host lacks it. */
mpi_function *load_extension(const char *name);

/* Returns what a host that is the adapter of another pair has by this name for adapters alone; null if it lacks it. */
const void *load_private(const char *name);

/* Prepares for the host's initialization: the environment of child processes, the report's signal handlers, and a load
 * span. To be called right before it. */
void load_begun(void);

/* Does the same if the program has initialized the host itself, before it loaded the adapter. */
void load_joins(void);

/* End a process that is alone although it was started as one of several, and prove isolation again, with objects that were
 * loaded meanwhile. load_started() is to be called after MPI_Init, and returns whether MPI is initialized.
 * load_session_started() is to be called after the host's own MPI_Session_init. It proves nothing if no object was loaded
 * since the last proof, because some programs begin many sessions. */
int load_started(void);
void load_session_started(host_session session);

/* Loads the host of an adapter that is the host of this one, by that one's symbol mpi_adapter_load. Calls natives_met when parts of the process
 * were compiled for that host, or for its host, and arrived when something was loaded. Returns what to call when this one finds that; null
 * within that load, where pairs lead in a circle. */
typedef void (*load_host_adapter(void (*natives_met)(void), void (*arrived)(void)))(void);

/* Whether the host is the adapter of another pair, and what that calls when there are natives below. Set before the load. */
extern int load_host_is_pair;
extern void (*load_natives_below)(void);

/* Counts calls of one of the adapter's procedures. The host is called at load by a procedure of that name: if the count
 * moves, the call has reached the adapter instead. */
extern int load_probe_entered;

#endif
