/* SPDX-License-Identifier: BSD-3-Clause */
/* The session that a communicator comes from, on a host that does not keep it: the communicator's buffer may be that
 * session's (MPI-4.1 section 3.6). A communicator made of a group is of the session whose process set the group comes from,
 * through whatever groups and communicators lie between. A communicator made of another one is of the same session. */
#ifndef SESSION_ORIGIN_H
#define SESSION_ORIGIN_H

#include "host.h"

/* Returns the session of a communicator; the null handle if it is of the world model. */
COLD host_session session_of(host_comm comm);

/* Records the origins from the first session on, and calls `end_session` before a session ends. To be called once, when the
 * adapter is loaded. */
void session_origin_begin(void (*end_session)(host_session session));

#endif
