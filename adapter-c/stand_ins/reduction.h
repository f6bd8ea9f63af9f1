/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of large counts, which no derived datatype can stand for: operations are defined on elements, and
 * may be applied to parts one after another (MPI-4.1 section 6.9). The generator writes each of the
 * procedures (gen/emitter/built.py). */
#ifndef REDUCTION_H
#define REDUCTION_H

#include "requests/held_handle.h"
#include "requests/adapter_request.h"

/* The arguments of a reduction, whichever it is. */
struct reduction {
    struct holding held; /* first, for free_holder() */
    const void *sendbuf;
    void *recvbuf;
    MPI_Count count;
    host_datatype datatype;
    host_op op;
    int root;
    host_comm comm;
};

/* Returns the address of part number `part` of a buffer. Sentinels stay as they are. The address of part 0 does not depend on the
 * datatype, which is known to be valid once the host has accepted that part. */
void *part_of(const void *buffer, int part, host_datatype datatype);

/* Return the number of parts of so many elements, and the number of elements of one part. */
int parts_of(MPI_Count count);
int length_of(MPI_Count count, int part);

/* Creates a request for all parts, each of which `issue` begins. Returns the host's code. */
COLD int reduction_begin(adapter_issue *issue, const struct reduction *r, host_request *request);

/* Creates a persistent request. The host has tried the first part: it returned `rc` and the request `first`. If it made a
 * request, the arguments are right. Returns the host's code. */
COLD int reduction_init(adapter_issue *issue, const struct reduction *r, host_code rc, host_request *first,
                        host_request *request);

#endif
