/* SPDX-License-Identifier: BSD-3-Clause */
/* How the two sides of a partitioned communication find each other (MPI-4.1 section 4.2): in the order of their
 * initializations for one source, communicator and tag. The sender tells the receiver which tags of adapter_world() its
 * partitions have, in a message that no receive of the program's may match; it expects no answer. */
#ifndef CHANNEL_H
#define CHANNEL_H

#include "host.h"

/* The first message, which tells the receiver about a send. */
struct opening {
    uint64_t comm; /* adapter_world_number() */
    int32_t tag;
    int32_t first_tag; /* of partition 0; those of the others follow */
    int64_t partitions;
    int64_t bytes; /* in a partition */
};

/* Sends the opening to a rank of adapter_world() and fills in its first_tag. Returns an error code of the host's. */
COLD int channel_open(struct opening *opening, int dest);

/* A receiver's end. Another thread may fill in `opening` and then set `is_open` at any time. */
struct channel {
    struct opening opening;
    int is_open;
};

/* Registers the channel for the next opening from a rank of adapter_world() for opening->comm and opening->tag, behind the
 * channels that wait already. Returns non-zero if memory runs out. */
COLD int channel_expect(struct channel *channel, int source);

/* Forgets the channel. An opening that was for it is for no other. */
COLD void channel_forget(struct channel *channel);

/* Receives openings from the channel's source until the channel's own is among them, or no more have arrived. Returns an error
 * code of the host's. */
COLD int channel_progress(const struct channel *channel, int source);

/* Returns whether the channel's opening has arrived. */
int channel_is_open(const struct channel *channel);

/* Sends packed data, which it owns from now on and frees when the send is complete. Returns an error code of the host's. */
COLD int channel_send_packed(void *packed, MPI_Count bytes, int dest, int tag);

#endif
