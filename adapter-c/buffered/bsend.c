/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffered sends that go by a buffer of ours, if one is there for them; all others are the host's, whose procedures are in
 * their places until the first buffer is ours. */
#include <pthread.h>
#include <stdlib.h>

#include "buffered/buffer.h"
#include "stand_ins/collective.h"
#include "convert/host_side.h"
#include "layers/layers.h"
#include "requests/held_handle.h"
#include "requests/adapter_request.h"

#define BSENDS(each) each(MPI_Bsend) each(MPI_Bsend_c) each(MPI_Ibsend) each(MPI_Ibsend_c)
#define BSEND_INITS(each) each(MPI_Bsend_init) each(MPI_Bsend_init_c)
#define BSENDS_AND_INITS(each) BSENDS(each) BSEND_INITS(each)
#define BUFFERED_SEND(name) OVERRIDE(bsends, name, buffered_##name),
LAYER_PART(bsends, BSENDS_AND_INITS);

/* Copies a message, and begins its send. Returns an error class if the buffer has no room. */
static int store_message(struct buffer *buffer, const void *buf, MPI_Count count, host_datatype datatype, int dest,
                         int tag, host_comm comm)
{
    MPI_Count room = 0, length = 0;
    host_code rc = host.MPI_Pack_size_c(count, datatype, comm, &room);
    struct message *message = rc == 0 ? malloc(sizeof *message + (size_t)room) : 0;
    if (!message)
        return rc != 0 ? rc : fail_comm(comm, HOST_MPI_ERR_NO_MEM);
    rc = host.MPI_Pack_c(buf, count, datatype, message->data, room, &length, comm);
    if (rc == 0)
        rc = buffer_send(buffer, message, length, dest, tag, comm);
    if (rc != 0)
        free(message);
    return rc;
}

/* Sends a message by the buffer, and drops the caller's reference to it. */
static int send_by_buffer(struct buffer *buffer, const void *buf, MPI_Count count, host_datatype datatype, int dest,
                         int tag, host_comm comm)
{
    host_code rc = check_send(buf, count, datatype, dest, tag, comm);
    if (rc == 0 && dest != HOST_MPI_PROC_NULL)
        rc = store_message(buffer, buf, count, datatype, dest, tag, comm);
    buffer_release(buffer);
    return rc;
}

static int buffered_MPI_Bsend_c(const void *buf, MPI_Count count, host_datatype datatype, int dest, int tag, host_comm comm)
{
    struct buffer *buffer;
    host_code rc = buffer_for(comm, &buffer);
    if (rc == 0)
        rc = buffer ? send_by_buffer(buffer, buf, count, datatype, dest, tag, comm)
                    : NEXT(bsends, MPI_Bsend_c)(buf, count, datatype, dest, tag, comm);
    return rc;
}

static int buffered_MPI_Bsend(const void *buf, int count, host_datatype datatype, int dest, int tag, host_comm comm)
{
    struct buffer *buffer;
    host_code rc = buffer_for(comm, &buffer);
    if (rc == 0)
        rc = buffer ? send_by_buffer(buffer, buf, count, datatype, dest, tag, comm)
                    : NEXT(bsends, MPI_Bsend)(buf, count, datatype, dest, tag, comm);
    return rc;
}

/* Does the same, and gives the program a request that is complete: it sends to nobody. */
static int begin_by_buffer(struct buffer *buffer, const void *buf, MPI_Count count, host_datatype datatype, int dest, int tag,
                      host_comm comm, host_request *request)
{
    if (!request) {
        buffer_release(buffer);
        return fail_comm(comm, HOST_MPI_ERR_ARG);
    }
    host_code rc = send_by_buffer(buffer, buf, count, datatype, dest, tag, comm);
    return rc == 0 ? host.MPI_Isend(0, 0, HOST_MPI_BYTE, HOST_MPI_PROC_NULL, 0, comm, request) : rc;
}

static int buffered_MPI_Ibsend_c(const void *buf, MPI_Count count, host_datatype datatype, int dest, int tag,
                                 host_comm comm, host_request *request)
{
    struct buffer *buffer;
    host_code rc = buffer_for(comm, &buffer);
    if (rc == 0)
        rc = buffer ? begin_by_buffer(buffer, buf, count, datatype, dest, tag, comm, request)
                    : NEXT(bsends, MPI_Ibsend_c)(buf, count, datatype, dest, tag, comm, request);
    return rc;
}

static int buffered_MPI_Ibsend(const void *buf, int count, host_datatype datatype, int dest, int tag, host_comm comm,
                               host_request *request)
{
    struct buffer *buffer;
    host_code rc = buffer_for(comm, &buffer);
    if (rc == 0)
        rc = buffer ? begin_by_buffer(buffer, buf, count, datatype, dest, tag, comm, request)
                    : NEXT(bsends, MPI_Ibsend)(buf, count, datatype, dest, tag, comm, request);
    return rc;
}

/* A persistent send. It goes by the buffer that is attached when it is started, which may be one of ours. */
struct sending {
    struct holding held; /* first, for free_holder() */
    const void *buf;
    MPI_Count count;
    host_datatype datatype;
    int dest, tag;
    host_comm comm;
};

static int start_sending(void *arguments, host_request *parts)
{
    const struct sending *s = arguments;
    return host.MPI_Bsend_c(s->buf, s->count, s->datatype, s->dest, s->tag, s->comm);
}

static int buffered_MPI_Bsend_init_c(const void *buf, MPI_Count count, host_datatype datatype, int dest, int tag,
                                     host_comm comm, host_request *request)
{
    host_code rc = check_send(buf, count, datatype, dest, tag, comm);
    struct sending *s = rc == 0 ? malloc(sizeof *s) : 0;
    if (!s)
        return rc != 0 ? rc : fail_comm(comm, HOST_MPI_ERR_NO_MEM);
    *s = (struct sending){ .buf = buf, .count = count, .datatype = datatype, .dest = dest, .tag = tag, .comm = comm };
    s->held = (struct holding){ comm, HOST_MPI_OP_NULL, 1, &s->datatype };
    if (hold_all(&s->held) != 0) {
        free(s);
        return fail_comm(comm, HOST_MPI_ERR_NO_MEM);
    }
    return adapter_persistent(
        &(struct adapter_operation){ .comm = comm, .issue = start_sending, .release = free_holder, .arguments = s },
        request);
}

static int buffered_MPI_Bsend_init(const void *buf, int count, host_datatype datatype, int dest, int tag, host_comm comm,
                                   host_request *request)
{
    return buffered_MPI_Bsend_init_c(buf, count, datatype, dest, tag, comm, request);
}

static void install_bsends(void)
{
    LAYER_INSTALL(LAYER_BUFFER, bsends, BSENDS(BUFFERED_SEND));
}

void bsend_install(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_bsends);
}

/* Persistent sends are ours from the beginning: a buffer may come after them. */
void bsend_begin(void)
{
    LAYER_INSTALL(LAYER_BUFFER, bsends, BSEND_INITS(BUFFERED_SEND));
}
