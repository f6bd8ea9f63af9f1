/* SPDX-License-Identifier: BSD-3-Clause */
/* A combined send and receive (MPI-4.1 section 3.10): one request for two operations. */
#include "stand_ins/collective.h"
#include "convert/host_side.h"
#include "requests/adapter_request.h"
#include "layers/built.h"

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
    host_code rc = check_send(e->sendbuf, e->sendcount, e->sendtype, e->dest, e->sendtag, e->comm);
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
    return adapter_begin(&(struct adapter_operation){ .comm = kept->comm,
                                                      .parts = BOTH_PARTS,
                                                      .status_part = RECEIVE_PART,
                                                      .issue = issue_exchange,
                                                      .release = release_exchange,
                                                      .arguments = kept },
                         request);
}

host_code built_MPI_Isendrecv(const void *sendbuf, int sendcount, host_datatype sendtype, int dest, int sendtag,
                        void *recvbuf, int recvcount, host_datatype recvtype, int source, int recvtag,
                        host_comm comm, host_request *request)
{
    return begin_exchange(&(struct exchange){ sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                                              recvtype, source, recvtag, comm, 0 }, request);
}

/* Packs the data before it is sent, because the same buffer receives. */
host_code built_MPI_Isendrecv_replace(void *buf, int count, host_datatype datatype, int dest, int sendtag, int source,
                                int recvtag, host_comm comm, host_request *request)
{
    MPI_Count size = 0, length = 0;
    host_code rc = check_send(buf, count, datatype, dest, sendtag, comm);
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
