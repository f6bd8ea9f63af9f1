/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of communicators, buffers that grow by themselves, and MPI_Buffer_iflush (MPI-4.1 section 3.6), on a host
 * whose only buffer is the process's and is flushed by detaching it alone. Messages that go by such a buffer are copied
 * and begun here; all others are the host's, whose procedures are in their places until the first buffer is ours. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "built/begin.h"
#include "built/collective.h"
#include "convert/adapter.h"
#include "convert/host_itself.h"
#include "convert/say.h"
#include "keep/held_handle.h"
#include "keep/own_request.h"
#include "built.h"
#include "start/mention.h"

struct message {
    struct message *next;
    host_request request;
    MPI_Count charge; /* of the buffer's bytes */
    uint64_t number;
    char data[];
};

/* The messages are in memory of their own: of the program's buffer it is counted what they would take. */
struct buffer {
    void *address;
    MPI_Count size, used;
    uint64_t last_number;
    struct message *messages;
    int holders; /* itself while attached, and requests that wait for it */
};

/* The host's procedures as they were before those below took their places. */
static struct host_procedures next;
static struct buffer *process_buffer;
static int keyval; /* of a communicator's buffer */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_automatic(const struct buffer *buffer)
{
    return buffer->address == HOST_MPI_BUFFER_AUTOMATIC;
}

/* Forgets messages that have gone. The lock is held. */
static void reap(struct buffer *buffer)
{
    struct message **link = &buffer->messages;
    while (*link) {
        struct message *message = *link;
        int done = 0;
        host.MPI_Test(&message->request, &done, HOST_MPI_STATUS_IGNORE);
        if (!done) {
            link = &message->next;
            continue;
        }
        buffer->used -= message->charge;
        *link = message->next;
        free(message);
    }
}

/* True if no message up to this number is left. */
static int is_flushed(struct buffer *buffer, uint64_t number)
{
    pthread_mutex_lock(&lock);
    reap(buffer);
    const struct message *message = buffer->messages;
    while (message && message->number > number)
        message = message->next;
    pthread_mutex_unlock(&lock);
    return !message;
}

static void flush(struct buffer *buffer)
{
    while (!is_flushed(buffer, UINT64_MAX))
        sched_yield();
}

/* A buffer that is flushed has no messages when the last one lets it go. */
static void let_go(struct buffer *buffer)
{
    pthread_mutex_lock(&lock);
    int last = --buffer->holders == 0;
    pthread_mutex_unlock(&lock);
    if (last)
        free(buffer);
}

/* ---- which buffer a message goes by ---- */

static struct buffer *buffer_of(host_comm comm)
{
    struct buffer *found = 0;
    int flag = 0;
    return keyval && host.MPI_Comm_get_attr(comm, keyval, &found, &flag) == 0 && flag ? found : 0;
}

static struct buffer *buffer_for(host_comm comm)
{
    struct buffer *own = buffer_of(comm);
    return own ? own : process_buffer;
}

/* A copy of a message, which is begun. Returns an error class if there is no room. */
static int store(struct buffer *buffer, const void *buf, MPI_Count count, host_datatype datatype, int dest, int tag,
                 host_comm comm)
{
    MPI_Count room = 0, length = 0;
    int rc = host.MPI_Pack_size_c(count, datatype, comm, &room);
    struct message *message = rc == 0 ? malloc(sizeof *message + (size_t)room) : 0;
    if (!message)
        return rc != 0 ? rc : fail_comm(comm, HOST_MPI_ERR_NO_MEM);
    rc = host.MPI_Pack_c(buf, count, datatype, message->data, room, &length, comm);
    pthread_mutex_lock(&lock);
    message->charge = length + (APP_MPI_BSEND_OVERHEAD < HOST_MPI_BSEND_OVERHEAD ? APP_MPI_BSEND_OVERHEAD
                                                                                  : HOST_MPI_BSEND_OVERHEAD);
    reap(buffer);
    int full = !is_automatic(buffer) && buffer->used + message->charge > buffer->size;
    if (rc == 0 && !full)
        rc = host.MPI_Isend_c(message->data, length, HOST_MPI_PACKED, dest, tag, comm, &message->request);
    if (rc == 0 && !full) {
        message->number = ++buffer->last_number;
        buffer->used += message->charge;
        message->next = buffer->messages;
        buffer->messages = message;
    }
    pthread_mutex_unlock(&lock);
    if (rc != 0 || full)
        free(message);
    return rc != 0 || !full ? rc : fail_comm(comm, HOST_MPI_ERR_BUFFER);
}

static int send(struct buffer *buffer, const void *buf, MPI_Count count, host_datatype datatype, int dest, int tag,
                host_comm comm)
{
    int rc = check_send(buf, count, datatype, dest, tag, comm);
    return rc != 0 || dest == HOST_MPI_PROC_NULL ? rc : store(buffer, buf, count, datatype, dest, tag, comm);
}

static int buffered_MPI_Bsend_c(const void *buf, MPI_Count count, host_datatype datatype, int dest, int tag, host_comm comm)
{
    struct buffer *buffer = buffer_for(comm);
    return buffer ? send(buffer, buf, count, datatype, dest, tag, comm)
                  : next.MPI_Bsend_c(buf, count, datatype, dest, tag, comm);
}

static int buffered_MPI_Bsend(const void *buf, int count, host_datatype datatype, int dest, int tag, host_comm comm)
{
    struct buffer *buffer = buffer_for(comm);
    return buffer ? send(buffer, buf, count, datatype, dest, tag, comm)
                  : next.MPI_Bsend(buf, count, datatype, dest, tag, comm);
}

/* A request that is complete: one that sends to nobody. */
static int completed(host_comm comm, host_request *request)
{
    return host.MPI_Isend(0, 0, HOST_MPI_BYTE, HOST_MPI_PROC_NULL, 0, comm, request);
}

static int buffered_MPI_Ibsend_c(const void *buf, MPI_Count count, host_datatype datatype, int dest, int tag,
                                 host_comm comm, host_request *request)
{
    struct buffer *buffer = buffer_for(comm);
    if (!buffer)
        return next.MPI_Ibsend_c(buf, count, datatype, dest, tag, comm, request);
    int rc = send(buffer, buf, count, datatype, dest, tag, comm);
    return rc == 0 ? completed(comm, request) : rc;
}

static int buffered_MPI_Ibsend(const void *buf, int count, host_datatype datatype, int dest, int tag, host_comm comm,
                               host_request *request)
{
    return buffer_for(comm) ? buffered_MPI_Ibsend_c(buf, count, datatype, dest, tag, comm, request)
                            : next.MPI_Ibsend(buf, count, datatype, dest, tag, comm, request);
}

/* A persistent send, which goes by the buffer that is attached when it is started. */
struct sending {
    struct holding held;
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

static void release_sending(void *arguments)
{
    struct sending *s = arguments;
    release_all(&s->held);
    free(s);
}

static int buffered_MPI_Bsend_init_c(const void *buf, MPI_Count count, host_datatype datatype, int dest, int tag,
                                     host_comm comm, host_request *request)
{
    int rc = check_send(buf, count, datatype, dest, tag, comm);
    struct sending *s = rc == 0 ? malloc(sizeof *s) : 0;
    if (!s)
        return rc != 0 ? rc : fail_comm(comm, HOST_MPI_ERR_NO_MEM);
    *s = (struct sending){ .buf = buf, .count = count, .datatype = datatype, .dest = dest, .tag = tag, .comm = comm };
    s->held = (struct holding){ comm, HOST_MPI_OP_NULL, 1, &s->datatype };
    if (hold_all(&s->held) != 0) {
        free(s);
        return fail_comm(comm, HOST_MPI_ERR_NO_MEM);
    }
    return own_persistent(&(struct own_operation){ .comm = comm, .issue = start_sending, .release = release_sending,
                                                   .arguments = s }, request);
}

static int buffered_MPI_Bsend_init(const void *buf, int count, host_datatype datatype, int dest, int tag, host_comm comm,
                                   host_request *request)
{
    return buffered_MPI_Bsend_init_c(buf, count, datatype, dest, tag, comm, request);
}

/* ---- attaching, flushing, detaching ---- */

/* The communicator is freed: what is left of its messages goes on, and what keeps them stays. */
static int discard(host_comm comm, int key, void *value, void *state)
{
    struct buffer *buffer = value;
    pthread_mutex_lock(&lock);
    reap(buffer);
    int is_empty = !buffer->messages;
    pthread_mutex_unlock(&lock);
    if (is_empty)
        let_go(buffer);
    return HOST_MPI_SUCCESS;
}

static int buffered_MPI_Finalize(void)
{
    if (process_buffer)
        flush(process_buffer);
    return next.MPI_Finalize();
}

/* From now on messages may go by a buffer of ours. The lock is held. */
static int take_over(void)
{
    static int done;
    int rc = done ? 0 : host.MPI_Comm_create_keyval((mpi_function *)HOST_MPI_COMM_NULL_COPY_FN, (mpi_function *)discard,
                                                    &keyval, 0);
    if (done || rc != 0)
        return rc;
    next.MPI_Finalize = host.MPI_Finalize;
    host.MPI_Finalize = buffered_MPI_Finalize;
#define TAKE(name) next.name = host.name; host.name = buffered_##name;
    TAKE(MPI_Bsend) TAKE(MPI_Bsend_c) TAKE(MPI_Ibsend) TAKE(MPI_Ibsend_c) TAKE(MPI_Bsend_init) TAKE(MPI_Bsend_init_c)
#undef TAKE
    done = 1;
    return 0;
}

/* Null, with an error class, if there can be none. */
static struct buffer *make(void *address, MPI_Count size, int *rc)
{
    struct buffer *made = 0;
    *rc = size < 0 || (!address && size > 0) ? HOST_MPI_ERR_ARG : 0;
    pthread_mutex_lock(&lock);
    if (*rc == 0)
        *rc = take_over();
    pthread_mutex_unlock(&lock);
    if (*rc == 0 && !(made = calloc(1, sizeof *made)))
        *rc = HOST_MPI_ERR_NO_MEM;
    if (made)
        *made = (struct buffer){ .address = address, .size = size, .holders = 1 };
    return made;
}

/* What waits until the messages have gone that are in a buffer now. */
struct flushing {
    struct buffer *buffer;
    uint64_t number;
};

static int no_parts(void *arguments, host_request *parts)
{
    return 0;
}

static int poll_flushing(void *arguments, host_status *status, int *error)
{
    const struct flushing *f = arguments;
    return is_flushed(f->buffer, f->number);
}

static void release_flushing(void *arguments)
{
    struct flushing *f = arguments;
    let_go(f->buffer);
    free(f);
}

static int iflush(struct buffer *buffer, host_comm comm, host_request *request)
{
    struct flushing *f = buffer ? malloc(sizeof *f) : 0;
    if (!f)
        return buffer ? fail_comm(comm, HOST_MPI_ERR_NO_MEM) : completed(comm, request);
    pthread_mutex_lock(&lock);
    *f = (struct flushing){ buffer, buffer->last_number };
    buffer->holders++;
    pthread_mutex_unlock(&lock);
    return own_begin(&(struct own_operation){ .comm = comm, .issue = no_parts, .poll = poll_flushing,
                                              .release = release_flushing, .arguments = f }, request);
}

/* Takes a flushed buffer away. */
static void report(struct buffer *buffer, void **address, MPI_Count *size)
{
    flush(buffer);
    *address = buffer->address;
    *size = is_automatic(buffer) ? 0 : buffer->size;
}

int built_MPI_Comm_attach_buffer(host_comm comm, void *buffer, int size)
{
    int rc;
    struct buffer *made = make(buffer, size, &rc);
    if (made && buffer_of(comm))
        rc = HOST_MPI_ERR_BUFFER;
    if (rc == 0)
        rc = host.MPI_Comm_set_attr(comm, keyval, made);
    else
        rc = fail_comm(comm, rc);
    if (rc != 0)
        free(made);
    return rc;
}

int built_MPI_Comm_detach_buffer(host_comm comm, void *buffer_addr, int *size)
{
    struct buffer *buffer = buffer_of(comm);
    MPI_Count bytes = 0;
    if (!buffer || !buffer_addr || !size)
        return fail_comm(comm, buffer ? HOST_MPI_ERR_ARG : HOST_MPI_ERR_BUFFER);
    report(buffer, buffer_addr, &bytes);
    *size = (int)bytes;
    return host.MPI_Comm_delete_attr(comm, keyval);
}

int built_MPI_Comm_flush_buffer(host_comm comm)
{
    struct buffer *buffer = buffer_of(comm);
    if (buffer)
        flush(buffer);
    return 0;
}

int built_MPI_Comm_iflush_buffer(host_comm comm, host_request *request)
{
    return iflush(buffer_of(comm), comm, request);
}

/* ---- the process's buffer ---- */

/* The host's own serves but for those. */
static int is_ours(const void *buffer)
{
    static int wanted = -1;
    if (wanted < 0)
        wanted = program_mentions("MPI_ADAPTER_BUFFER_IFLUSH", "buffer_iflush");
    return wanted || buffer == HOST_MPI_BUFFER_AUTOMATIC;
}

static int attach_ours(void *buffer, MPI_Count size)
{
    int rc;
    if (process_buffer)
        return fail(HOST_MPI_ERR_BUFFER);
    process_buffer = make(buffer, size, &rc);
    return rc == 0 ? 0 : fail(rc);
}

static int buffered_MPI_Buffer_attach(void *buffer, int size)
{
    return process_buffer || is_ours(buffer) ? attach_ours(buffer, size) : next.MPI_Buffer_attach(buffer, size);
}

static int buffered_MPI_Buffer_attach_c(void *buffer, MPI_Count size)
{
    return process_buffer || is_ours(buffer) ? attach_ours(buffer, size) : next.MPI_Buffer_attach_c(buffer, size);
}

static int buffered_MPI_Buffer_detach_c(void *buffer_addr, MPI_Count *size)
{
    if (!process_buffer)
        return next.MPI_Buffer_detach_c(buffer_addr, size);
    report(process_buffer, buffer_addr, size);
    let_go(process_buffer);
    process_buffer = 0;
    return 0;
}

static int buffered_MPI_Buffer_detach(void *buffer_addr, int *size)
{
    MPI_Count bytes = 0;
    if (!process_buffer)
        return next.MPI_Buffer_detach(buffer_addr, size);
    int rc = buffered_MPI_Buffer_detach_c(buffer_addr, &bytes);
    *size = (int)bytes;
    return rc;
}

int built_MPI_Buffer_iflush(host_request *request)
{
    if (!is_ours(0)) {
        static int said;
        if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
            complain("nothing that was loaded names MPI_Buffer_iflush; set MPI_ADAPTER_BUFFER_IFLUSH=1 for a program that "
                     "asks for it by name");
        return fail(unsupported("MPI_Buffer_iflush"));
    }
    return iflush(process_buffer, HOST_MPI_COMM_SELF, request);
}

AT_START void buffered_begin(void)
{
    if (host_itself->MPI_Comm_attach_buffer != built_MPI_Comm_attach_buffer)
        return;
#define TAKE(name) next.name = host.name; host.name = buffered_##name;
    TAKE(MPI_Buffer_attach) TAKE(MPI_Buffer_attach_c) TAKE(MPI_Buffer_detach) TAKE(MPI_Buffer_detach_c)
#undef TAKE
}
