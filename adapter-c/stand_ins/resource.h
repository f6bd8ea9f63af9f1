/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of processes that share a part of the machine. The kernel tells which parts these are. */
#ifndef RESOURCE_H
#define RESOURCE_H

#include "host.h"

enum resource {
    RESOURCE_THREAD,
    RESOURCE_CORE,
    RESOURCE_CACHE1,
    RESOURCE_CACHE2,
    RESOURCE_CACHE3,
    RESOURCE_PACKAGE,
    RESOURCE_MEMORY,
    RESOURCE_NODE,
    RESOURCE_DIRECTORY /* in tables alone: processes that see the same directory, of which those of a node are taken */
};

/* Splits a communicator, as the host's MPI_Comm_split_type does; collective over `comm`. Two processes belong together if a
 * processor exists on which both may run, or if they may run on two processors that share the resource. Returns the host's
 * code. */
int resource_split(host_comm comm, enum resource resource, int key, host_info info, host_comm *newcomm);

#endif
