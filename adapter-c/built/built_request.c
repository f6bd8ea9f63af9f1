/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that need requests of our own: a combined send and receive (MPI-4.1 section 3.10) and
 * persistent collective operations (sections 6.13 and 8.8), which begin the nonblocking operation
 * anew at each MPI_Start. */
#include "built/collective.h"
#include "convert/adapter.h"
#include "keep/own_request.h"
#include "keep/retained_array.h"
#include "lacking.h"

enum { SEND_PART, RECEIVE_PART, BOTH_PARTS };

/* A combined send and receive. `packed`, if any, is what is sent, and is kept until both are done. */
struct exchange {
    const void *sendbuf;
    MPI_Count sendcount;
    host_datatype sendtype;
    int dest, sendtag;
    void *recvbuf;
    MPI_Count recvcount;
    host_datatype recvtype;
    int source, recvtag;
    host_comm comm;
    void *packed;
};

static void release_exchange(void *arguments)
{
    struct exchange *e = arguments;
    free(e->packed);
    free(e);
}

/* A receive must not be posted for a send that fails: it would take a message that is not for it. */
static int issue_exchange(void *arguments, host_request *parts)
{
    const struct exchange *e = arguments;
    int rc = check_send(e->sendbuf, e->sendcount, e->sendtype, e->dest, e->sendtag, e->comm);
    if (rc == 0)
        rc = host.MPI_Irecv_c(e->recvbuf, e->recvcount, e->recvtype, e->source, e->recvtag, e->comm,
                              &parts[RECEIVE_PART]);
    if (rc != 0)
        return rc;
    rc = host.MPI_Isend_c(e->sendbuf, e->sendcount, e->sendtype, e->dest, e->sendtag, e->comm, &parts[SEND_PART]);
    if (rc != 0) {
        host.MPI_Cancel(&parts[RECEIVE_PART]);
        host.MPI_Wait(&parts[RECEIVE_PART], HOST_MPI_STATUS_IGNORE);
    }
    return rc;
}

static int begin_exchange(const struct exchange *arguments, host_request *request)
{
    struct exchange *kept = malloc(sizeof *kept);
    if (!kept) {
        free(arguments->packed);
        return fail_comm(arguments->comm, HOST_MPI_ERR_NO_MEM);
    }
    *kept = *arguments;
    return own_begin(&(struct own_operation){ .comm = kept->comm, .parts = BOTH_PARTS, .status_part = RECEIVE_PART,
                                              .issue = issue_exchange, .release = release_exchange,
                                              .arguments = kept }, request);
}

int built_MPI_Isendrecv(const void *sendbuf, int sendcount, host_datatype sendtype, int dest, int sendtag,
                        void *recvbuf, int recvcount, host_datatype recvtype, int source, int recvtag,
                        host_comm comm, host_request *request)
{
    return begin_exchange(&(struct exchange){ sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                                              recvtype, source, recvtag, comm, 0 }, request);
}

/* What is sent is packed first, for the same buffer receives. */
int built_MPI_Isendrecv_replace(void *buf, int count, host_datatype datatype, int dest, int sendtag, int source,
                                int recvtag, host_comm comm, host_request *request)
{
    MPI_Count size = 0, length = 0;
    int rc = check_send(buf, count, datatype, dest, sendtag, comm);
    if (rc == 0)
        rc = host.MPI_Pack_size_c(count, datatype, comm, &size);
    if (rc != 0)
        return rc;
    void *packed = malloc(size > 0 ? (size_t)size : 1);
    if (!packed)
        return fail_comm(comm, HOST_MPI_ERR_NO_MEM);
    rc = host.MPI_Pack_c(buf, count, datatype, packed, size, &length, comm);
    if (rc != 0) {
        free(packed);
        return rc;
    }
    return begin_exchange(&(struct exchange){ packed, length, HOST_MPI_PACKED, dest, sendtag, buf, count, datatype,
                                              source, recvtag, comm, packed }, request);
}

/* ---------------------------------------------------------------- collective operations */

/* Copies an array to `*room`, and moves that on. A null array stays null. */
static const void *keep(char **room, const void *array, int count, size_t size)
{
    char *copy = *room;
    if (!array)
        return 0;
    *room += (size_t)count * size;
    return memcpy(copy, array, (size_t)count * size);
}

/* A copy of the arguments with copies of the arrays behind them, the widest elements first. The
 * datatypes are side by side, to be held. */
static struct collective *copy(const struct collective *c)
{
    size_t each = sizeof(int) + c->place_size + sizeof(host_datatype);
    const host_datatype single[] = { c->sendtype, c->recvtype };
    struct collective *kept = malloc(sizeof *kept + sizeof single + (size_t)(c->send_peers + c->recv_peers) * each);
    if (!kept)
        return 0;
    char *room = (char *)(kept + 1);
    *kept = *c;
    const host_datatype *datatypes = keep(&room, single, 2, sizeof(host_datatype));
    kept->sendtypes = keep(&room, c->sendtypes, c->send_peers, sizeof(host_datatype));
    kept->recvtypes = keep(&room, c->recvtypes, c->recv_peers, sizeof(host_datatype));
    kept->held = (struct holding){ c->comm, c->op, (int)((const host_datatype *)room - datatypes), datatypes };
    kept->sendplaces = keep(&room, c->sendplaces, c->send_peers, c->place_size);
    kept->recvplaces = keep(&room, c->recvplaces, c->recv_peers, c->place_size);
    kept->sendcounts = keep(&room, c->sendcounts, c->send_peers, sizeof(int));
    kept->recvcounts = keep(&room, c->recvcounts, c->recv_peers, sizeof(int));
    return kept;
}

static void release_collective(void *arguments)
{
    struct collective *c = arguments;
    release_all(&c->held);
    free(c);
}

/* A persistent request that begins `issue` with these arguments at each MPI_Start. */
static int persistent(own_issue *issue, const struct collective *arguments, host_request *request)
{
    int rc = check_collective(arguments);
    if (rc != 0)
        return rc;
    struct collective *kept = copy(arguments);
    if (!kept || hold_all(&kept->held) != 0) {
        free(kept);
        return fail_comm(arguments->comm, HOST_MPI_ERR_NO_MEM);
    }
    return own_persistent(&(struct own_operation){ .comm = kept->comm, .parts = 1, .issue = issue,
                                                   .release = release_collective, .arguments = kept }, request);
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

PERSISTENT(Barrier, MPI_Ibarrier, (), (.flow = WITHOUT_DATA), ())

PERSISTENT(Bcast, MPI_Ibcast, (void *buffer, int count, host_datatype datatype, int root, ),
           (.flow = BROADCAST, .recvbuf = buffer, .recvcount = count, .recvtype = datatype, .root = root),
           (c->recvbuf, c->recvcount, c->recvtype, c->root, ))

#define SENT const void *sendbuf, int sendcount, host_datatype sendtype
#define RECEIVED void *recvbuf, int recvcount, host_datatype recvtype
#define KEEP_SENT .sendbuf = sendbuf, .sendcount = sendcount, .sendtype = sendtype
#define KEEP_RECEIVED .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype
#define ISSUE_REGULAR c->sendbuf, c->sendcount, c->sendtype, c->recvbuf, c->recvcount, c->recvtype

#define REGULAR(Name, nonblocking, is)                                                             \
    PERSISTENT(Name, nonblocking, (SENT, RECEIVED, ), (KEEP_SENT, KEEP_RECEIVED, .flow = ALL_TO_ALL, .traits = is), \
               (ISSUE_REGULAR, ))
#define REGULAR_ROOTED(Name, nonblocking, goes)                                                    \
    PERSISTENT(Name, nonblocking, (SENT, RECEIVED, int root, ),                                    \
               (KEEP_SENT, KEEP_RECEIVED, .root = root, .flow = goes), (ISSUE_REGULAR, c->root, ))

REGULAR_ROOTED(Gather, MPI_Igather, TO_ROOT)
REGULAR_ROOTED(Scatter, MPI_Iscatter, FROM_ROOT)
REGULAR(Allgather, MPI_Iallgather, 0)
REGULAR(Alltoall, MPI_Ialltoall, 0)
REGULAR(Neighbor_allgather, MPI_Ineighbor_allgather, NEIGHBORS)
REGULAR(Neighbor_alltoall, MPI_Ineighbor_alltoall, NEIGHBORS)

#define SENT_V const void *sendbuf, const int *sendcounts, const int *sdispls, host_datatype sendtype
#define RECEIVED_V(displs) void *recvbuf, const int *recvcounts, const int *displs, host_datatype recvtype
#define KEEP_SENT_V(displs, peers)                                                                 \
    .sendbuf = sendbuf, .sendcounts = sendcounts, .sendplaces = displs, .sendtype = sendtype,      \
    .send_peers = peers, .sent = COUNTS
#define KEEP_RECEIVED_V(displs, peers)                                                             \
    .recvbuf = recvbuf, .recvcounts = recvcounts, .recvplaces = displs, .recvtype = recvtype,      \
    .place_size = sizeof(int), .recv_peers = peers, .received = COUNTS
#define ISSUE_SENT_V c->sendbuf, c->sendcounts, c->sendplaces, c->sendtype
#define ISSUE_RECEIVED_V c->recvbuf, c->recvcounts, c->recvplaces, c->recvtype

PERSISTENT(Gatherv, MPI_Igatherv, (SENT, RECEIVED_V(displs), int root, ),
           (KEEP_SENT, KEEP_RECEIVED_V(displs, root_peers(root, comm)), .root = root, .flow = TO_ROOT),
           (c->sendbuf, c->sendcount, c->sendtype, ISSUE_RECEIVED_V, c->root, ))
PERSISTENT(Scatterv, MPI_Iscatterv,
           (const void *sendbuf, const int *sendcounts, const int *displs, host_datatype sendtype, RECEIVED, int root, ),
           (KEEP_SENT_V(displs, root_peers(root, comm)), KEEP_RECEIVED, .place_size = sizeof(int), .root = root,
            .flow = FROM_ROOT),
           (ISSUE_SENT_V, c->recvbuf, c->recvcount, c->recvtype, c->root, ))
PERSISTENT(Allgatherv, MPI_Iallgatherv, (SENT, RECEIVED_V(displs), ),
           (KEEP_SENT, KEEP_RECEIVED_V(displs, peers(comm)), .flow = ALL_TO_ALL),
           (c->sendbuf, c->sendcount, c->sendtype, ISSUE_RECEIVED_V, ))
PERSISTENT(Neighbor_allgatherv, MPI_Ineighbor_allgatherv, (SENT, RECEIVED_V(displs), ),
           (KEEP_SENT, KEEP_RECEIVED_V(displs, neighbors_in(comm)), .flow = ALL_TO_ALL, .traits = NEIGHBORS),
           (c->sendbuf, c->sendcount, c->sendtype, ISSUE_RECEIVED_V, ))

#define EXCHANGE_V(Name, nonblocking, is, out, in)                                                 \
    PERSISTENT(Name, nonblocking, (SENT_V, RECEIVED_V(rdispls), ),                                 \
               (KEEP_SENT_V(sdispls, out), KEEP_RECEIVED_V(rdispls, in), .flow = ALL_TO_ALL, .traits = is), \
               (ISSUE_SENT_V, ISSUE_RECEIVED_V, ))
EXCHANGE_V(Alltoallv, MPI_Ialltoallv, 0, sent_peers(sendbuf, comm), peers(comm))
EXCHANGE_V(Neighbor_alltoallv, MPI_Ineighbor_alltoallv, NEIGHBORS, neighbors_out(comm), neighbors_in(comm))

#define EXCHANGE_W(Name, nonblocking, is, place, out, in)                                          \
    PERSISTENT(Name, nonblocking,                                                                  \
               (const void *sendbuf, const int *sendcounts, const place *sdispls, const host_datatype *sendtypes, \
                void *recvbuf, const int *recvcounts, const place *rdispls, const host_datatype *recvtypes, ), \
               (.sendbuf = sendbuf, .sendcounts = sendcounts, .sendplaces = sdispls, .sendtypes = sendtypes, \
                .recvbuf = recvbuf, .recvcounts = recvcounts, .recvplaces = rdispls, .recvtypes = recvtypes, \
                .place_size = sizeof(place), .send_peers = out, .recv_peers = in, .sent = COUNTS_AND_TYPES, \
                .received = COUNTS_AND_TYPES, .flow = ALL_TO_ALL, .traits = is),                   \
               (c->sendbuf, c->sendcounts, c->sendplaces, c->sendtypes, c->recvbuf, c->recvcounts, \
                c->recvplaces, c->recvtypes, ))
EXCHANGE_W(Alltoallw, MPI_Ialltoallw, 0, int, sent_peers(sendbuf, comm), peers(comm))
EXCHANGE_W(Neighbor_alltoallw, MPI_Ineighbor_alltoallw, NEIGHBORS, MPI_Aint, neighbors_out(comm), neighbors_in(comm))

#define REDUCED const void *sendbuf, void *recvbuf, int count, host_datatype datatype, host_op op
#define KEEP_REDUCED .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcount = count, .recvtype = datatype, .op = op
#define ISSUE_REDUCED c->sendbuf, c->recvbuf, c->recvcount, c->recvtype, c->op
#define REDUCING(Name, nonblocking, is)                                                            \
    PERSISTENT(Name, nonblocking, (REDUCED, ), (KEEP_REDUCED, .flow = ALL_TO_ALL, .traits = REDUCTION | is), \
               (ISSUE_REDUCED, ))

REDUCING(Allreduce, MPI_Iallreduce, 0)
REDUCING(Scan, MPI_Iscan, WITHIN_A_GROUP)
REDUCING(Exscan, MPI_Iexscan, WITHIN_A_GROUP)
REDUCING(Reduce_scatter_block, MPI_Ireduce_scatter_block, 0)
PERSISTENT(Reduce, MPI_Ireduce, (REDUCED, int root, ),
           (KEEP_REDUCED, .root = root, .flow = TO_ROOT, .traits = REDUCTION), (ISSUE_REDUCED, c->root, ))
PERSISTENT(Reduce_scatter, MPI_Ireduce_scatter,
           (const void *sendbuf, void *recvbuf, const int *recvcounts, host_datatype datatype, host_op op, ),
           (.sendbuf = sendbuf, .recvbuf = recvbuf, .recvcounts = recvcounts, .recv_peers = members(comm),
            .received = COUNTS, .recvtype = datatype, .op = op, .flow = ALL_TO_ALL, .traits = REDUCTION),
           (c->sendbuf, c->recvbuf, c->recvcounts, c->recvtype, c->op, ))
