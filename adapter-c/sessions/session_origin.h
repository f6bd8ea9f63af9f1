/* SPDX-License-Identifier: BSD-3-Clause */
/* Which session a communicator comes from, on a host that has no use for it: its buffer may be that session's (MPI-4.1
 * section 3.6). A communicator made of a group is of the session whose process set the group comes from, through
 * whatever groups and communicators lie between; what is made of a communicator is of the same session as this. */
#ifndef SESSION_ORIGIN_H
#define SESSION_ORIGIN_H

#include "host.h"

/* The null handle for the world model's. */
COLD host_session session_of(host_comm comm);

/* To be called once, when the adapter is loaded. Takes notes from the first session on, and calls `end_session` before a
 * session ends. */
void session_origin_begin(void (*end_session)(host_session session));

#endif
