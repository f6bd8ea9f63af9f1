/* SPDX-License-Identifier: BSD-3-Clause */
/* Converted arrays of nonblocking and persistent collective operations: the host may read them
 * until the operation completes or the persistent request is freed (MPI-4.1 sections 6.12 and
 * 6.13). A list by request keeps them. */
#ifndef RETAIN_H
#define RETAIN_H

#include "codec.h"

/* Takes over `arrays` (from malloc) until `request` is gone. A null request frees them at once. */
COLD void retain(const host_request *request, void *arrays);

/* The number of requests of the host's that retain something, and of our own (own_request.h). It
 * costs the completion calls one load and one branch while it is 0. */
extern HIDDEN int special_requests;

static inline int has_special_requests(void)
{
    return unlikely(__atomic_load_n(&special_requests, __ATOMIC_RELAXED) != 0);
}

/* Frees what the operation retained whose request had this handle before a completion call
 * changed it. */
COLD void release_one(host_request before);

/* The number of processes a collective operation exchanges data with, and of neighbours in a
 * communicator's topology. */
int peers(host_comm comm);
void neighbors(host_comm comm, int *in, int *out);

/* Lengths of the type arrays of the calls above (MPI-4.1 sections 6.8 and 8.6.4). The send side
 * of an in-place call has none. */
int send_peers(const void *sendbuf, host_comm comm);
int recv_peers(const void *sendbuf, host_comm comm);
int out_neighbors(const void *sendbuf, host_comm comm);
int in_neighbors(const void *sendbuf, host_comm comm);

#endif
