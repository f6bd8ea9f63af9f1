/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors that no handler of the program's sees, of calls about no object: the adapter asks the host what it makes of
 * something. A host blames MPI_COMM_WORLD or MPI_COMM_SELF for them, so that both have another handler meanwhile. */
#ifndef QUIET_H
#define QUIET_H

#include "host.h"

struct quiet {
    host_errhandler before[2];
};

/* While the world model runs. */
COLD struct quiet quiet_begin(host_errhandler instead);
COLD void quiet_end(struct quiet quiet);

#endif
