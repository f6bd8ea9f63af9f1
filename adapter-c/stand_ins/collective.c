/* SPDX-License-Identifier: BSD-3-Clause */
#include "stand_ins/collective.h"

#include <pthread.h>

#include "convert/host_side.h"
#include "sessions/adapter_comm.h"

int check_send(const void *buffer, MPI_Count count, host_datatype datatype, int dest, int tag, host_comm comm)
{
    host_request request;
    host_code rc = host.MPI_Send_init_c(buffer, count, datatype, dest, tag, comm, &request);
    return rc == 0 ? host.MPI_Request_free(&request) : rc;
}

/* The calling process's part in an operation. */
struct part {
    int inter, at_root, apart; /* apart: in the root's group, but not the root */
};

static int find_part(const struct collective *c, struct part *part)
{
    int rank = 0, size = 0, rc = host.MPI_Comm_test_inter(c->comm, &part->inter);
    if (rc == 0)
        rc = host.MPI_Comm_rank(c->comm, &rank);
    if (rc == 0)
        rc = part->inter ? host.MPI_Comm_remote_size(c->comm, &size) : host.MPI_Comm_size(c->comm, &size);
    if (rc != 0)
        return rc;
    part->at_root = c->root == (part->inter ? HOST_MPI_ROOT : rank);
    part->apart = part->inter && c->root == HOST_MPI_PROC_NULL;
    int rooted = c->flow == TO_ROOT || c->flow == FROM_ROOT || c->flow == BROADCAST;
    int is_rank = c->root >= 0 && c->root < size;
    return rooted && !is_rank && !(part->inter && (part->at_root || part->apart)) ? fail_comm(c->comm, HOST_MPI_ERR_ROOT)
                                                                                  : 0;
}

static int check_communicator(const struct collective *c, const struct part *part)
{
    int topology = HOST_MPI_UNDEFINED;
    if (part->inter && (c->traits & (NEIGHBORS | WITHIN_A_GROUP)))
        return fail_comm(c->comm, HOST_MPI_ERR_COMM);
    if (c->traits & NEIGHBORS) {
        host_code rc = host.MPI_Topo_test(c->comm, &topology);
        return rc != 0 || topology != HOST_MPI_UNDEFINED ? rc : fail_comm(c->comm, HOST_MPI_ERR_TOPOLOGY);
    }
    return 0;
}

static int sends(const struct collective *c, const struct part *part)
{
    return c->flow == ALL_TO_ALL || (c->flow == FROM_ROOT && part->at_root) ||
           (c->flow == TO_ROOT && !part->apart && !(part->inter && part->at_root));
}

static int receives(const struct collective *c, const struct part *part)
{
    return c->flow == ALL_TO_ALL || (c->flow == TO_ROOT && part->at_root) || (c->flow == BROADCAST && !part->apart) ||
           (c->flow == FROM_ROOT && !part->apart && !(part->inter && part->at_root));
}

/* MPI_IN_PLACE stands for what is sent, and for what a scatter's root receives. */
static int check_buffers(const struct collective *c, const struct part *part)
{
    int send_in_place = sends(c, part) && c->sendbuf == HOST_MPI_IN_PLACE;
    int recv_in_place = receives(c, part) && c->recvbuf == HOST_MPI_IN_PLACE;
    int may_send = !part->inter && !(c->traits & NEIGHBORS) &&
                   (c->flow == ALL_TO_ALL || (c->flow == TO_ROOT && part->at_root));
    int may_receive = !part->inter && c->flow == FROM_ROOT && part->at_root;
    return (send_in_place && !may_send) || (recv_in_place && !may_receive) ? fail_comm(c->comm, HOST_MPI_ERR_ARG) : 0;
}

/* Lets the host check elements that are sent or received, as it checks those of a message. */
static int check_elements(int count, host_datatype datatype, host_comm comm)
{
    static const char somewhere;
    return check_send(&somewhere, count, datatype, HOST_MPI_PROC_NULL, 0, comm);
}

/* Returns the smallest count, which is wrong if any is. */
static int least(const int *counts, int number)
{
    int found = counts[0];
    for (int i = 1; i < number; i++)
        if (counts[i] < found)
            found = counts[i];
    return found;
}

static int check_arrays(const struct collective *c, enum arrays arrays, int peers, const int *counts,
                        host_datatype datatype, const host_datatype *datatypes)
{
    host_code rc = 0;
    if (peers == 0)
        return 0;
    if (!counts || (arrays == COUNTS_AND_TYPES && !datatypes))
        return fail_comm(c->comm, HOST_MPI_ERR_ARG);
    if (arrays == COUNTS)
        return check_elements(least(counts, peers), datatype, c->comm);
    for (int i = 0; rc == 0 && i < peers; i++)
        rc = check_elements(counts[i], datatypes[i], c->comm);
    return rc;
}

static int check_sent(const struct collective *c, const struct part *part)
{
    if (!sends(c, part) || (c->traits & REDUCTION) || c->sendbuf == HOST_MPI_IN_PLACE)
        return 0;
    return c->sent == ONE_COUNT ? check_elements(c->sendcount, c->sendtype, c->comm)
                                : check_arrays(c, c->sent, c->send_peers, c->sendcounts, c->sendtype, c->sendtypes);
}

static int check_received(const struct collective *c, const struct part *part)
{
    int significant = c->traits & REDUCTION ? !part->apart : receives(c, part);
    if (!significant || c->recvbuf == HOST_MPI_IN_PLACE)
        return 0;
    return c->received == ONE_COUNT ? check_elements(c->recvcount, c->recvtype, c->comm)
                                    : check_arrays(c, c->received, c->recv_peers, c->recvcounts, c->recvtype, c->recvtypes);
}

/* A communicator of this process alone, whose errors are returned; null if the host could not make it. */
static host_comm adapter_comm;

static void make_own_comm(void)
{
    if (adapter_comm_make(HOST_MPI_ERRORS_RETURN, &adapter_comm) != 0)
        adapter_comm = HOST_MPI_COMM_NULL;
}

/* Checks that the operation is defined for the datatype, by a reduction of no elements. */
static int check_operation(const struct collective *c, const struct part *part)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int element;
    if (!(c->traits & REDUCTION) || part->apart)
        return 0;
    if (HOST_OP_BITS(c->op) == HOST_OP_BITS(HOST_MPI_OP_NULL))
        return fail_comm(c->comm, HOST_MPI_ERR_OP);
    pthread_once(&once, make_own_comm);
    if (HOST_COMM_BITS(adapter_comm) == HOST_COMM_BITS(HOST_MPI_COMM_NULL))
        return 0;
    host_code rc = host.MPI_Allreduce(HOST_MPI_IN_PLACE, &element, 0, c->recvtype, c->op, adapter_comm);
    return rc == 0 ? 0 : fail_comm(c->comm, rc);
}

int check_collective(const struct collective *c)
{
    struct part part;
    host_code rc = find_part(c, &part);
    if (rc == 0)
        rc = check_communicator(c, &part);
    if (rc == 0)
        rc = check_buffers(c, &part);
    if (rc == 0)
        rc = check_sent(c, &part);
    if (rc == 0)
        rc = check_received(c, &part);
    return rc == 0 ? check_operation(c, &part) : rc;
}
