/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of the adapter's own, of this process alone. The program does not know them, and errors on them reach none of
 * its handlers. */
#ifndef ADAPTER_COMM_H
#define ADAPTER_COMM_H

#include "host.h"

/* Makes a communicator with an error handler. Calls no attribute callback of the program's. Any thread may call it while
 * the world model runs. Returns the host's code. */
int adapter_comm_make(host_errhandler errhandler, host_comm *comm);

#endif
