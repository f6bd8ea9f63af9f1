/* SPDX-License-Identifier: BSD-3-Clause */
/* Converted arrays of nonblocking and persistent collective operations: the host may read them
 * until the operation completes or the persistent request is freed (MPI-4.1 sections 6.12 and
 * 6.13). A table by request keeps them. */
#ifndef RETAINED_ARRAY_H
#define RETAINED_ARRAY_H

#include "convert/codec.h"

/* Takes over `arrays` (from malloc) until `request` is gone. A null request frees them at once. */
COLD void retain(const host_request *request, void *arrays);

/* The number of requests of the host's that retain something, and of our own (own_request.h). It
 * costs the completion calls one load and one branch while it is 0. */
extern HIDDEN int special_requests;

static inline int has_special_requests(void)
{
    return unlikely(__atomic_load_n(&special_requests, __ATOMIC_RELAXED) != 0);
}

/* Everything retained so far: taken before a call that may complete requests. */
COLD uint64_t retain_mark(void);

/* Frees what the operation retained whose request had this handle before a completion call changed
 * it, if that was retained by the mark: another thread may have been given the handle since. */
COLD void release_one(host_request before, uint64_t mark);

/* Lengths of the arrays of collective operations: what the host's procedures read of them.
 * members: one for each process of the calling process's group; peers: of the remote group, if
 * there is one; sent_peers: none for an in-place call; root_peers: none but at the root. */
int members(host_comm comm);
int peers(host_comm comm);
int sent_peers(const void *sendbuf, host_comm comm);
int root_peers(int root, host_comm comm);
int neighbors_out(host_comm comm);
int neighbors_in(host_comm comm);

/* The same for arrays of datatypes (MPI-4.1 sections 6.8 and 8.6.4), with the application's buffer. */
int send_peers(const void *sendbuf, host_comm comm);
int recv_peers(const void *sendbuf, host_comm comm);
int out_neighbors(const void *sendbuf, host_comm comm);
int in_neighbors(const void *sendbuf, host_comm comm);

#endif
