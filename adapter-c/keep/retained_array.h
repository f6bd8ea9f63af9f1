/* SPDX-License-Identifier: BSD-3-Clause */
/* Converted arrays of collective operations that go on after the call. The host may read such an array
 * until a nonblocking operation completes, or a persistent request is freed (MPI-4.1 sections 6.12 and
 * 6.13): a table keeps it under the operation's request, and frees it then. */
#ifndef RETAINED_ARRAY_H
#define RETAINED_ARRAY_H

#include "convert/special_requests.h"
#include "host.h"

/* Room for an array that may be retained, or null if memory runs out: what retaining needs lies ahead of it. It joins the
 * call's others, `*arrays`. */
COLD void *retained_room(void **arrays, size_t bytes);

/* Takes over a call's arrays until `request` is gone. A null request frees them at once. */
COLD void retain(const host_request *request, void *arrays);

/* The number of requests of the host's that retain something, and of our own (adapter_request.h). It
 * costs the completion calls one load and one branch while it is 0. The load needs no order: a request is counted
 * before the program gets its handle, and a thread that got the handle by something that orders memory sees it
 * counted; those of which it has no handle are none of its business. It is no 0 either once a program gave a
 * completion call what is no request (note_no_request()): the calls below refuse that. */
static inline int has_special_requests(void)
{
    return unlikely(__atomic_load_n(&special_requests, __ATOMIC_RELAXED) != 0);
}

/* A mark: what is retained from now on is younger. A completion call takes one before it asks the host. */
COLD uint64_t retain_mark(void);

/* Frees the arrays of an operation that a completion call has found complete. `before` is the handle that
 * its request had ahead of that call. Arrays that are younger than the mark stay: once the request was
 * complete, the host may have given its handle to an operation of another thread. */
COLD void release_one(host_request before, uint64_t mark);

/* Hands a value to a function once `request`, which is not null, is gone. Non-zero if memory runs out. */
COLD int retain_value(host_request request, intptr_t value, void (*release)(intptr_t value));

/* How many elements of a collective operation's array the host reads.
 * members: one for each process of the calling process's own group
 * peers: one for each process of the communicator; of an inter-communicator, of the remote group
 * sent_peers: as many, but 0 for an in-place call
 * root_peers: as many at the root, and 0 elsewhere
 * neighbors_out, neighbors_in: one for each neighbor that is sent to, or received from */
int members(host_comm comm);
int peers(host_comm comm);
int sent_peers(const void *sendbuf, host_comm comm);
int root_peers(int root, host_comm comm);
int neighbors_out(host_comm comm);
int neighbors_in(host_comm comm);

#endif
