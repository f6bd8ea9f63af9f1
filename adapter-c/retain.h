/* SPDX-License-Identifier: BSD-3-Clause */
/* Converted type arrays of nonblocking and persistent MPI_Alltoallw and MPI_Neighbor_alltoallw:
 * the host may read them until the operation completes or the persistent request is freed
 * (MPI-4.1 sections 6.12 and 6.13). A list by request keeps them; it costs the completion calls
 * one load and one branch while it is empty. */
#ifndef RETAIN_H
#define RETAIN_H

#include "codec.h"

/* Takes over `arrays` (from malloc) until `request` is gone. A null request frees them at once. */
COLD void retain(const host_request *request, void *arrays);

/* The number of requests that retain something. */
extern HIDDEN int retained_requests;

/* Frees what the operation retained whose request had this handle before a completion call
 * changed it. To be called only while retained_requests is not 0. */
COLD void release_one(host_request before);

/* Lengths of the type arrays of the calls above (MPI-4.1 sections 6.8 and 8.6.4). The send side
 * of an in-place call has none. */
int send_peers(const void *sendbuf, host_comm comm);
int recv_peers(const void *sendbuf, host_comm comm);
int out_neighbors(const void *sendbuf, host_comm comm);
int in_neighbors(const void *sendbuf, host_comm comm);

#endif
