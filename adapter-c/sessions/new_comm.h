/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators that are made of others. MPI copies attributes to duplicates alone; these functions serve attributes that
 * other derived communicators inherit, too. */
#ifndef NEW_COMM_H
#define NEW_COMM_H

#include "host.h"

/* Learns of a communicator that was made of another one, and is no duplicate. `tag` tells it from others of the same
 * members that may be made in another order elsewhere. */
typedef void new_comm(host_comm made, host_comm from, int tag);

/* Calls `told` for each such communicator from now on. At most NEW_COMM_TOLD functions can be registered. */
enum { NEW_COMM_TOLD = 2 };
COLD void tell_of_new_comms(new_comm *told);

#endif
