/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent collective operations (MPI-4.1 sections 6.13 and 8.8): the arguments that a request of ours keeps, and the
 * errors that a host with the operation would find when the request is made. The generator writes each of the procedures
 * (gen/emitter/built.py). */
#ifndef COLLECTIVE_H
#define COLLECTIVE_H

#include "requests/held_handle.h"
#include "requests/adapter_request.h"

/* The direction of a collective operation's data, by which its buffers are used. */
enum flow { WITHOUT_DATA, ALL_TO_ALL, TO_ROOT, FROM_ROOT, BROADCAST };
/* How one side of an operation describes its elements: one count, a count for each peer, or datatypes as well. */
enum arrays { ONE_COUNT, COUNTS, COUNTS_AND_TYPES };
/* Further properties: works on neighbors, is a reduction, is undefined on inter-communicators. */
enum { NEIGHBORS = 1, REDUCTION = 2, WITHIN_A_GROUP = 4 };

/* The arguments of a collective operation, whichever it is. Arrays have `send_peers` and
 * `recv_peers` elements; places are int or MPI_Aint. A reduction's count and datatype are those of
 * what is received. Members that an operation does not use are 0, which is nothing that could be held. */
struct collective {
    struct holding held; /* first, for free_holder() */
    enum flow flow;
    int traits;
    const void *sendbuf;
    void *recvbuf;
    int sendcount, recvcount;
    host_datatype sendtype, recvtype;
    enum arrays sent, received;
    int send_peers, recv_peers;
    size_t place_size;
    const int *sendcounts, *recvcounts;
    const void *sendplaces, *recvplaces;
    const host_datatype *sendtypes, *recvtypes;
    host_op op;
    int root;
    host_comm comm;
};

/* Calls an extension of the host's, whose arguments are those of the standard's procedure. Returns the host's code. */
typedef host_code init_extension(mpi_function *extension, void *arguments, host_request *part);

/* Creates a persistent request of the procedure `name`. Open MPI 4 has it as an extension, by a name that begins with
 * MPIX_. Elsewhere each MPI_Start calls `issue`, and ranks have to start such requests of a communicator in the same order,
 * which MPI-4.1 section 6.13 does not demand. Returns the host's code. */
COLD int collective_init(const char *name, init_extension *init, adapter_issue *issue,
                         const struct collective *arguments, host_request *request);

/* Checks the arguments. Returns 0, or the host's code of an error that it has raised on the communicator. */
int check_collective(const struct collective *c);

/* Lets the host check the arguments of a send, without a send. Returns the host's code. */
int check_send(const void *buffer, MPI_Count count, host_datatype datatype, int dest, int tag, host_comm comm);

#endif
