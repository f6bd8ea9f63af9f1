/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that need requests of our own: a combined send and receive (MPI-4.1 section 3.10) and
 * persistent collective operations (sections 6.13 and 8.8), which begin the nonblocking operation
 * anew at each MPI_Start. */
#include "adapter.h"
#include "hold.h"
#include "lacking.h"
#include "own_request.h"

enum { SEND_PART, RECEIVE_PART, BOTH_PARTS };

/* Sends while it receives. `packed`, if any, is what is sent, and is kept until both are done. */
static int send_and_receive(const void *sendbuf, int sendcount, host_datatype sendtype, int dest, int sendtag,
                            void *recvbuf, int recvcount, host_datatype recvtype, int source, int recvtag,
                            host_comm comm, void *packed, host_request *request)
{
    const struct own_operation operation = { BOTH_PARTS, RECEIVE_PART, 0, packed ? free : 0, packed };
    host_request parts[BOTH_PARTS];
    int rc = host.MPI_Irecv(recvbuf, recvcount, recvtype, source, recvtag, comm, &parts[RECEIVE_PART]);
    if (rc == 0)
        rc = host.MPI_Isend(sendbuf, sendcount, sendtype, dest, sendtag, comm, &parts[SEND_PART]);
    return rc == 0 ? own_begun(&operation, parts, request) : rc;
}

int built_MPI_Isendrecv(const void *sendbuf, int sendcount, host_datatype sendtype, int dest, int sendtag,
                        void *recvbuf, int recvcount, host_datatype recvtype, int source, int recvtag,
                        host_comm comm, host_request *request)
{
    return send_and_receive(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
                            recvtag, comm, 0, request);
}

/* What is sent is packed first, for the same buffer receives. */
int built_MPI_Isendrecv_replace(void *buf, int count, host_datatype datatype, int dest, int sendtag, int source,
                                int recvtag, host_comm comm, host_request *request)
{
    int size = 0, length = 0, rc = host.MPI_Pack_size(count, datatype, comm, &size);
    if (rc != 0)
        return rc;
    void *packed = malloc(size > 0 ? (size_t)size : 1);
    if (!packed) {
        host.MPI_Comm_call_errhandler(comm, HOST_MPI_ERR_NO_MEM);
        return HOST_MPI_ERR_NO_MEM;
    }
    rc = host.MPI_Pack(buf, count, datatype, packed, size, &length, comm);
    if (rc != 0) {
        free(packed);
        return rc;
    }
    return send_and_receive(packed, length, HOST_MPI_PACKED, dest, sendtag, buf, count, datatype, source, recvtag,
                            comm, packed, request);
}

/* The arguments of a collective operation, whichever it is. Arrays have `send_peers` and
 * `recv_peers` elements; places are int or MPI_Aint. */
struct collective {
    const void *sendbuf;
    void *recvbuf;
    int sendcount, recvcount;
    host_datatype sendtype, recvtype;
    int send_peers, recv_peers;
    size_t place_size;
    const int *sendcounts, *recvcounts;
    const void *sendplaces, *recvplaces;
    const host_datatype *sendtypes, *recvtypes;
    host_op op;
    int root;
    host_comm comm;
};

/* Copies an array to `*room`, and moves that on. A null array stays null. */
static const void *keep(char **room, const void *array, int count, size_t size)
{
    char *copy = *room;
    if (!array)
        return 0;
    *room += (size_t)count * size;
    return memcpy(copy, array, (size_t)count * size);
}

/* A copy of the arguments with copies of the arrays behind them, the widest elements first. */
static struct collective *copy(const struct collective *c)
{
    size_t each = sizeof(int) + c->place_size + sizeof(host_datatype);
    struct collective *kept = malloc(sizeof *kept + (size_t)(c->send_peers + c->recv_peers) * each);
    if (!kept)
        return 0;
    char *room = (char *)(kept + 1);
    *kept = *c;
    kept->sendtypes = keep(&room, c->sendtypes, c->send_peers, sizeof(host_datatype));
    kept->recvtypes = keep(&room, c->recvtypes, c->recv_peers, sizeof(host_datatype));
    kept->sendplaces = keep(&room, c->sendplaces, c->send_peers, c->place_size);
    kept->recvplaces = keep(&room, c->recvplaces, c->recv_peers, c->place_size);
    kept->sendcounts = keep(&room, c->sendcounts, c->send_peers, sizeof(int));
    kept->recvcounts = keep(&room, c->recvcounts, c->recv_peers, sizeof(int));
    return kept;
}

static int hold_all(const struct collective *c)
{
    int failed = hold_comm(c->comm) | hold_op(c->op) | hold_datatype(c->sendtype) | hold_datatype(c->recvtype);
    for (int i = 0; c->sendtypes && i < c->send_peers; i++)
        failed |= hold_datatype(c->sendtypes[i]);
    for (int i = 0; c->recvtypes && i < c->recv_peers; i++)
        failed |= hold_datatype(c->recvtypes[i]);
    return failed;
}

static void release_collective(void *arguments)
{
    struct collective *c = arguments;
    for (int i = 0; c->sendtypes && i < c->send_peers; i++)
        release_datatype(c->sendtypes[i]);
    for (int i = 0; c->recvtypes && i < c->recv_peers; i++)
        release_datatype(c->recvtypes[i]);
    release_datatype(c->recvtype);
    release_datatype(c->sendtype);
    release_op(c->op);
    release_comm(c->comm);
    free(c);
}

/* A persistent request that begins `issue` with these arguments at each MPI_Start. */
static int persistent(own_issue *issue, const struct collective *arguments, host_request *request)
{
    struct collective *kept = copy(arguments);
    if (!kept || hold_all(kept) != 0) {
        host.MPI_Comm_call_errhandler(arguments->comm, HOST_MPI_ERR_NO_MEM);
        return HOST_MPI_ERR_NO_MEM;
    }
    return own_persistent(&(struct own_operation){ 1, 0, issue, release_collective, kept }, request);
}

/* Members that an operation does not use are 0, which is nothing that could be held. */
#define COLLECTIVE(...) (&(struct collective){ .comm = comm, __VA_ARGS__ })

/* MPI_Name_init: `parameters` but for those that all have, how the arguments are kept, and the
 * nonblocking operation's arguments from `c`. */
#define UNPACK(...) __VA_ARGS__
#define PERSISTENT(Name, nonblocking, parameters, kept, issued)                                    \
    static int issue_##Name(void *arguments, host_request *part)                                   \
    {                                                                                              \
        const struct collective *c = arguments;                                                    \
        return host.nonblocking(UNPACK issued c->comm, part);                                      \
    }                                                                                              \
    int built_MPI_##Name##_init(UNPACK parameters host_comm comm, host_info info, host_request *request) \
    {                                                                                              \
        return persistent(issue_##Name, COLLECTIVE(UNPACK kept), request);                                 \
    }

PERSISTENT(Barrier, MPI_Ibarrier, (), (), ())

PERSISTENT(Bcast, MPI_Ibcast, (void *buffer, int count, host_datatype datatype, int root, ),
           (.recvbuf = buffer, .recvcount = count, .recvtype = datatype, .root = root),
           (c->recvbuf, c->recvcount, c->recvtype, c->root, ))

#define SENT const void *sendbuf, int sendcount, host_datatype sendtype
#define RECEIVED void *recvbuf, int recvcount, host_datatype recvtype
#define KEEP_SENT .sendbuf = sendbuf, .sendcount = sendcount, .sendtype = sendtype
#define KEEP_RECEIVED .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype
#define ISSUE_REGULAR c->sendbuf, c->sendcount, c->sendtype, c->recvbuf, c->recvcount, c->recvtype

#define REGULAR(Name, nonblocking)                                                                 \
    PERSISTENT(Name, nonblocking, (SENT, RECEIVED, ), (KEEP_SENT, KEEP_RECEIVED), (ISSUE_REGULAR, ))
#define REGULAR_ROOTED(Name, nonblocking)                                                          \
    PERSISTENT(Name, nonblocking, (SENT, RECEIVED, int root, ), (KEEP_SENT, KEEP_RECEIVED, .root = root), \
               (ISSUE_REGULAR, c->root, ))

REGULAR_ROOTED(Gather, MPI_Igather)
REGULAR_ROOTED(Scatter, MPI_Iscatter)
REGULAR(Allgather, MPI_Iallgather)
REGULAR(Alltoall, MPI_Ialltoall)
REGULAR(Neighbor_allgather, MPI_Ineighbor_allgather)
REGULAR(Neighbor_alltoall, MPI_Ineighbor_alltoall)

#define SENT_V const void *sendbuf, const int *sendcounts, const int *sdispls, host_datatype sendtype
#define RECEIVED_V(displs) void *recvbuf, const int *recvcounts, const int *displs, host_datatype recvtype
#define KEEP_SENT_V(displs, peers)                                                                 \
    .sendbuf = sendbuf, .sendcounts = sendcounts, .sendplaces = displs, .sendtype = sendtype,      \
    .send_peers = peers
#define KEEP_RECEIVED_V(displs, peers)                                                             \
    .recvbuf = recvbuf, .recvcounts = recvcounts, .recvplaces = displs, .recvtype = recvtype,      \
    .place_size = sizeof(int), .recv_peers = peers
#define ISSUE_SENT_V c->sendbuf, c->sendcounts, c->sendplaces, c->sendtype
#define ISSUE_RECEIVED_V c->recvbuf, c->recvcounts, c->recvplaces, c->recvtype

PERSISTENT(Gatherv, MPI_Igatherv, (SENT, RECEIVED_V(displs), int root, ),
           (KEEP_SENT, KEEP_RECEIVED_V(displs, root_peers(root, comm)), .root = root),
           (c->sendbuf, c->sendcount, c->sendtype, ISSUE_RECEIVED_V, c->root, ))
PERSISTENT(Scatterv, MPI_Iscatterv,
           (const void *sendbuf, const int *sendcounts, const int *displs, host_datatype sendtype, RECEIVED, int root, ),
           (KEEP_SENT_V(displs, root_peers(root, comm)), KEEP_RECEIVED, .place_size = sizeof(int), .root = root),
           (ISSUE_SENT_V, c->recvbuf, c->recvcount, c->recvtype, c->root, ))
PERSISTENT(Allgatherv, MPI_Iallgatherv, (SENT, RECEIVED_V(displs), ),
           (KEEP_SENT, KEEP_RECEIVED_V(displs, peers(comm))),
           (c->sendbuf, c->sendcount, c->sendtype, ISSUE_RECEIVED_V, ))
PERSISTENT(Neighbor_allgatherv, MPI_Ineighbor_allgatherv, (SENT, RECEIVED_V(displs), ),
           (KEEP_SENT, KEEP_RECEIVED_V(displs, neighbors_in(comm))),
           (c->sendbuf, c->sendcount, c->sendtype, ISSUE_RECEIVED_V, ))

#define EXCHANGE_V(Name, nonblocking, out, in)                                                     \
    PERSISTENT(Name, nonblocking, (SENT_V, RECEIVED_V(rdispls), ),                                 \
               (KEEP_SENT_V(sdispls, out), KEEP_RECEIVED_V(rdispls, in)), (ISSUE_SENT_V, ISSUE_RECEIVED_V, ))
EXCHANGE_V(Alltoallv, MPI_Ialltoallv, sent_peers(sendbuf, comm), peers(comm))
EXCHANGE_V(Neighbor_alltoallv, MPI_Ineighbor_alltoallv, neighbors_out(comm), neighbors_in(comm))

#define EXCHANGE_W(Name, nonblocking, place, out, in)                                              \
    PERSISTENT(Name, nonblocking,                                                                  \
               (const void *sendbuf, const int *sendcounts, const place *sdispls, const host_datatype *sendtypes, \
                void *recvbuf, const int *recvcounts, const place *rdispls, const host_datatype *recvtypes, ), \
               (.sendbuf = sendbuf, .sendcounts = sendcounts, .sendplaces = sdispls, .sendtypes = sendtypes, \
                .recvbuf = recvbuf, .recvcounts = recvcounts, .recvplaces = rdispls, .recvtypes = recvtypes, \
                .place_size = sizeof(place), .send_peers = out, .recv_peers = in),                 \
               (c->sendbuf, c->sendcounts, c->sendplaces, c->sendtypes, c->recvbuf, c->recvcounts, \
                c->recvplaces, c->recvtypes, ))
EXCHANGE_W(Alltoallw, MPI_Ialltoallw, int, sent_peers(sendbuf, comm), peers(comm))
EXCHANGE_W(Neighbor_alltoallw, MPI_Ineighbor_alltoallw, MPI_Aint, neighbors_out(comm), neighbors_in(comm))

#define REDUCED const void *sendbuf, void *recvbuf, int count, host_datatype datatype, host_op op
#define KEEP_REDUCED .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcount = count, .recvtype = datatype, .op = op
#define ISSUE_REDUCED c->sendbuf, c->recvbuf, c->recvcount, c->recvtype, c->op
#define REDUCTION(Name, nonblocking)                                                               \
    PERSISTENT(Name, nonblocking, (REDUCED, ), (KEEP_REDUCED), (ISSUE_REDUCED, ))

REDUCTION(Allreduce, MPI_Iallreduce)
REDUCTION(Scan, MPI_Iscan)
REDUCTION(Exscan, MPI_Iexscan)
REDUCTION(Reduce_scatter_block, MPI_Ireduce_scatter_block)
PERSISTENT(Reduce, MPI_Ireduce, (REDUCED, int root, ), (KEEP_REDUCED, .root = root), (ISSUE_REDUCED, c->root, ))
PERSISTENT(Reduce_scatter, MPI_Ireduce_scatter,
           (const void *sendbuf, void *recvbuf, const int *recvcounts, host_datatype datatype, host_op op, ),
           (.sendbuf = sendbuf, .recvbuf = recvbuf, .recvcounts = recvcounts, .recv_peers = members(comm),
            .recvtype = datatype, .op = op),
           (c->sendbuf, c->recvbuf, c->recvcounts, c->recvtype, c->op, ))
