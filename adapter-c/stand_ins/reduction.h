/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of large counts, which no derived datatype can stand for: operations are defined on elements, and
 * may be applied to parts one after another (MPI-4.1 section 6.9). The generator writes each of the
 * procedures (gen/emitter/built.py). */
#ifndef REDUCTION_H
#define REDUCTION_H

#include "keep/held_handle.h"
#include "keep/adapter_request.h"

/* The arguments of a reduction, whichever it is. */
struct reduction {
    const void *sendbuf;
    void *recvbuf;
    MPI_Count count;
    host_datatype datatype;
    host_op op;
    int root;
    host_comm comm;
    struct holding held;
};

/* Part number `part` of a buffer: special addresses stand for the whole. The first part does not depend on
 * the datatype, which is known to be one when the host has taken that part. */
void *part_of(const void *buffer, int part, host_datatype datatype);

/* How many parts there are, and the length of one. */
int parts_of(MPI_Count count);
int length_of(MPI_Count count, int part);

/* A request for all parts, each of which `issue` begins. */
COLD int reduction_begin(adapter_issue *issue, const struct reduction *r, host_request *request);

/* The same, persistent. `first` is what the host made of the first part, and returned `rc` with: if it made a
 * request the arguments are right. */
COLD int reduction_init(adapter_issue *issue, const struct reduction *r, host_code rc, host_request *first,
                        host_request *request);

#endif
