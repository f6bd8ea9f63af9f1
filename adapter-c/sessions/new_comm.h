/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators that are made of others, for who keeps an attribute of the program's communicators that more than
 * duplicates inherit. */
#ifndef NEW_COMM_H
#define NEW_COMM_H

#include "host.h"

/* A communicator was made of another one, and is no duplicate. `tag` tells it from others of the same members that
 * may be made in another order elsewhere. */
typedef void new_comm(host_comm made, host_comm from, int tag);

/* From now on `told` is called for each. There may be NEW_COMM_TOLD of them. */
enum { NEW_COMM_TOLD = 2 };
COLD void tell_of_new_comms(new_comm *told);

#endif
