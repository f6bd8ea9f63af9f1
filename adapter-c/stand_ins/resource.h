/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators of processes that share a part of the machine, which the kernel tells. */
#ifndef RESOURCE_H
#define RESOURCE_H

#include "host.h"

enum resource { RESOURCE_THREAD, RESOURCE_CORE, RESOURCE_CACHE1, RESOURCE_CACHE2, RESOURCE_CACHE3, RESOURCE_PACKAGE, RESOURCE_MEMORY, RESOURCE_NODE };

/* As MPI_Comm_split_type of the host: collective over `comm`. Processes belong together if there is a processor that both may run on,
 * or two that share the resource. */
int resource_split(host_comm comm, enum resource resource, int key, host_info info, host_comm *newcomm);

#endif
