/* SPDX-License-Identifier: BSD-3-Clause */
/* Lengths of arrays that no argument tells: they follow from the communicator of a collective operation. `extent` lines of
 * abi-tables/rules name these functions. */
#ifndef ARRAY_LENGTH_H
#define ARRAY_LENGTH_H

#include "host.h"

/* Return how many elements of a collective operation's array the host reads.
 * members(): one for each process of the calling process's own group
 * peers(): one for each process of the communicator; of an inter-communicator, of the remote group
 * sent_peers(): as many as peers(), but 0 for an in-place call
 * root_peers(): as many as peers() at the root, and 0 elsewhere
 * neighbors_out(), neighbors_in(): one for each neighbor that is sent to, or received from */
int members(host_comm comm);
int peers(host_comm comm);
int sent_peers(const void *sendbuf, host_comm comm);
int root_peers(int root, host_comm comm);
int neighbors_out(host_comm comm);
int neighbors_in(host_comm comm);

#endif
