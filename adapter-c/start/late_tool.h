/* SPDX-License-Identifier: BSD-3-Clause */
/* Tools that start when MPI runs already, and rewrite slots of the host's then. */
#ifndef LATE_TOOL_H
#define LATE_TOOL_H

/* Has rare calls, after which the host calls procedures of its own, bind again what a tool rewrote. To be called when the table of the
 * host's procedures is complete. */
void late_tools_start(void);

#endif
