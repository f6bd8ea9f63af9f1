/* SPDX-License-Identifier: BSD-3-Clause */
/* Which session a communicator comes from, on a host that does not ask: its buffer may be that session's (MPI-4.1
 * section 3.6). A communicator made of a group is of the session whose process set the group comes from, through
 * whatever groups and communicators lie between; what is made of a communicator is of the same session as this. */
#ifndef OF_SESSION_H
#define OF_SESSION_H

#include "host.h"

/* The null handle for the world model's. */
COLD host_session session_of(host_comm comm);

/* Called before a session ends, and when it has ended. */
extern HIDDEN void (*const when_session_ends)(host_session session);
extern HIDDEN void (*const when_session_has_ended)(void);

/* Whether MPI ends with the session that ends. */
int of_session_is_last(void);

/* Whether neither a session nor the world model is left: then what was made of keyvals is forgotten. */
int of_session_mpi_has_ended(void);

/* From the first session on, notes are taken. To be called once, when the adapter is loaded. */
void of_session_begin(void);

#endif
