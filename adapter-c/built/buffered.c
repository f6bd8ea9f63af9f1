/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of communicators and sessions, buffers that grow by themselves, and MPI_Buffer_iflush (MPI-4.1 section 3.6), on a
 * host whose only buffer is the process's and is flushed by detaching it alone. Messages that go by such a buffer are
 * copied and begun here; all others are the host's, whose procedures are in their places until the first buffer is ours.
 *
 * The host calls the program: error handlers, attribute callbacks. These may send, flush and detach, so that no lock
 * is held while the host is called, and what a call uses of a buffer is held instead. */
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
#include "built/of_session.h"
#include "start/mention.h"

struct message {
    struct message *next, **link; /* link: what leads here */
    host_request request;
    MPI_Count charge; /* of the buffer's bytes */
    uint64_t number;
    pthread_t tester; /* a thread that asks the host about it, while is_tested */
    int is_tested;
    char data[];
};

/* The messages are in memory of their own: of the program's buffer it is counted what they would take. The last that holds
 * a buffer frees it: it is held while it is attached, by its messages, by requests that wait for it, and in calls. */
struct buffer {
    struct buffer *next;
    host_session session; /* that it is attached to, or the null handle */
    int is_attached; /* to something */
    void *address;
    MPI_Count size, used;
    uint64_t last_number;
    struct message *messages;
    int holders;
};

/* The host's procedures as they were before those below took their places. */
static struct host_procedures next;
static struct buffer *buffers, *process_buffer;
static int keyval; /* of a communicator's buffer; 0 before there was one, and when it has gone with MPI */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define TAKE(name) next.name = host.name; host.name = buffered_##name;

static int is_automatic(const struct buffer *buffer)
{
    return buffer->address == HOST_MPI_BUFFER_AUTOMATIC;
}

/* ---- the lives of buffers and messages; the lock is held ---- */

static struct buffer *held(struct buffer *buffer)
{
    if (buffer)
        buffer->holders++;
    return buffer;
}

static void release(struct buffer *buffer)
{
    if (--buffer->holders > 0)
        return;
    struct buffer **link = &buffers;
    while (*link != buffer)
        link = &(*link)->next;
    *link = buffer->next;
    free(buffer);
}

static void add_message(struct buffer *buffer, struct message *message)
{
    message->number = ++buffer->last_number;
    message->is_tested = 0;
    message->next = buffer->messages;
    message->link = &buffer->messages;
    if (message->next)
        message->next->link = &message->next;
    buffer->messages = message;
    held(buffer);
}

static void drop_message(struct buffer *buffer, struct message *message)
{
    *message->link = message->next;
    if (message->next)
        message->next->link = message->link;
    buffer->used -= message->charge;
    free(message);
    release(buffer);
}

/* The first of these that no thread asks about. */
static struct message *idle_from(struct message *message)
{
    while (message && message->is_tested)
        message = message->next;
    return message;
}

/* Asks the host, without the lock. A message that failed is gone, too. */
static int has_gone(struct message *message)
{
    int done = 0;
    message->is_tested = 1;
    message->tester = pthread_self();
    pthread_mutex_unlock(&lock);
    int rc = host.MPI_Test(&message->request, &done, HOST_MPI_STATUS_IGNORE);
    pthread_mutex_lock(&lock);
    message->is_tested = 0;
    return rc != 0 || done;
}

/* Forgets messages that have gone. The caller holds the buffer. */
static void reap(struct buffer *buffer)
{
    struct message *following;
    for (struct message *each = idle_from(buffer->messages); each; each = idle_from(following)) {
        int gone = has_gone(each);
        following = each->next;
        if (gone)
            drop_message(buffer, each);
    }
}

/* ---- with the lock free ---- */

/* One that this thread asks about failed: the error handler that is running now asks for the rest. */
static int is_left(const struct message *message, uint64_t number)
{
    return message->number <= number && !(message->is_tested && pthread_equal(message->tester, pthread_self()));
}

/* The lock is held. */
static int has_left(const struct buffer *buffer, uint64_t number)
{
    const struct message *message = buffer->messages;
    while (message && !is_left(message, number))
        message = message->next;
    return message != 0;
}

/* True if no message up to this number is left. The caller holds the buffer. */
static int is_flushed(struct buffer *buffer, uint64_t number)
{
    pthread_mutex_lock(&lock);
    reap(buffer);
    int left = has_left(buffer, number);
    pthread_mutex_unlock(&lock);
    return !left;
}

static void let_go(struct buffer *buffer)
{
    pthread_mutex_lock(&lock);
    release(buffer);
    pthread_mutex_unlock(&lock);
}

/* The caller holds the buffer. */
static void flush(struct buffer *buffer)
{
    while (!is_flushed(buffer, UINT64_MAX))
        sched_yield();
}

/* It takes no more messages; those that it has go on. Of several threads that do so one does. The caller holds it. */
static void detach(struct buffer *buffer)
{
    pthread_mutex_lock(&lock);
    if (buffer->is_attached) {
        buffer->is_attached = 0;
        buffer->session = HOST_MPI_SESSION_NULL;
        reap(buffer);
        release(buffer);
    }
    pthread_mutex_unlock(&lock);
}

/* Forgets messages that have gone, of all buffers: of those that are not attached any more, and of communicators that the
 * program has freed. These live as long as their messages, and some hosts delete attributes no earlier. */
static void reap_all(void)
{
    struct buffer *following;
    pthread_mutex_lock(&lock);
    for (struct buffer *each = held(buffers); each; each = following) {
        reap(each);
        following = held(each->next);
        release(each);
    }
    pthread_mutex_unlock(&lock);
}

/* ---- which buffer a message goes by: null if none of ours, else held, for the caller to let go ---- */

/* A buffer, unless another thread has detached it meanwhile and it has gone. */
static struct buffer *hold(const struct buffer *wanted)
{
    pthread_mutex_lock(&lock);
    struct buffer *found = buffers;
    while (found && found != wanted)
        found = found->next;
    held(found);
    pthread_mutex_unlock(&lock);
    return found;
}

static struct buffer *buffer_of(host_comm comm)
{
    struct buffer *found = 0;
    int flag = 0, key = __atomic_load_n(&keyval, __ATOMIC_RELAXED);
    return key && host.MPI_Comm_get_attr(comm, key, &found, &flag) == 0 && flag ? hold(found) : 0;
}

/* The lock is held. */
static struct buffer *find_of_session(host_session session)
{
    struct buffer *found = buffers;
    while (found && HOST_SESSION_BITS(found->session) != HOST_SESSION_BITS(session))
        found = found->next;
    return found;
}

static struct buffer *buffer_of_session(host_session session)
{
    if (HOST_SESSION_BITS(session) == HOST_SESSION_BITS(HOST_MPI_SESSION_NULL))
        return 0;
    pthread_mutex_lock(&lock);
    struct buffer *found = held(find_of_session(session));
    pthread_mutex_unlock(&lock);
    return found;
}

static struct buffer *buffer_for(host_comm comm)
{
    struct buffer *found = buffer_of(comm);
    if (!found)
        found = buffer_of_session(session_of(comm));
    return found ? found : hold(__atomic_load_n(&process_buffer, __ATOMIC_ACQUIRE));
}

/* Room for a message, which holds the buffer; false if there is none. */
static int take_room(struct buffer *buffer, MPI_Count charge)
{
    pthread_mutex_lock(&lock);
    reap(held(buffer));
    int fits = is_automatic(buffer) || buffer->used + charge <= buffer->size;
    if (fits)
        buffer->used += charge;
    else
        release(buffer);
    pthread_mutex_unlock(&lock);
    return fits;
}

/* A message that has its room is the buffer's, or did not begin. */
static void settle(struct buffer *buffer, struct message *message, int rc)
{
    pthread_mutex_lock(&lock);
    if (rc == 0)
        add_message(buffer, message);
    else
        buffer->used -= message->charge;
    release(buffer);
    pthread_mutex_unlock(&lock);
}

static int begin_message(struct buffer *buffer, struct message *message, MPI_Count length, int dest, int tag, host_comm comm)
{
    message->charge = length + (APP_MPI_BSEND_OVERHEAD < HOST_MPI_BSEND_OVERHEAD ? APP_MPI_BSEND_OVERHEAD
                                                                                  : HOST_MPI_BSEND_OVERHEAD);
    if (!take_room(buffer, message->charge))
        return fail_comm(comm, HOST_MPI_ERR_BUFFER);
    int rc = host.MPI_Isend_c(message->data, length, HOST_MPI_PACKED, dest, tag, comm, &message->request);
    settle(buffer, message, rc);
    return rc;
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
    if (rc == 0)
        rc = begin_message(buffer, message, length, dest, tag, comm);
    if (rc != 0)
        free(message);
    return rc;
}

/* Lets the buffer go. */
static int send(struct buffer *buffer, const void *buf, MPI_Count count, host_datatype datatype, int dest, int tag,
                host_comm comm)
{
    int rc = check_send(buf, count, datatype, dest, tag, comm);
    if (rc == 0 && dest != HOST_MPI_PROC_NULL)
        rc = store(buffer, buf, count, datatype, dest, tag, comm);
    let_go(buffer);
    return rc;
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

/* The same with a request, which is complete: it sends to nobody. */
static int begin_send(struct buffer *buffer, const void *buf, MPI_Count count, host_datatype datatype, int dest, int tag,
                      host_comm comm, host_request *request)
{
    int rc = send(buffer, buf, count, datatype, dest, tag, comm);
    return rc == 0 ? host.MPI_Isend(0, 0, HOST_MPI_BYTE, HOST_MPI_PROC_NULL, 0, comm, request) : rc;
}

static int buffered_MPI_Ibsend_c(const void *buf, MPI_Count count, host_datatype datatype, int dest, int tag,
                                 host_comm comm, host_request *request)
{
    struct buffer *buffer = buffer_for(comm);
    return buffer ? begin_send(buffer, buf, count, datatype, dest, tag, comm, request)
                  : next.MPI_Ibsend_c(buf, count, datatype, dest, tag, comm, request);
}

static int buffered_MPI_Ibsend(const void *buf, int count, host_datatype datatype, int dest, int tag, host_comm comm,
                               host_request *request)
{
    struct buffer *buffer = buffer_for(comm);
    return buffer ? begin_send(buffer, buf, count, datatype, dest, tag, comm, request)
                  : next.MPI_Ibsend(buf, count, datatype, dest, tag, comm, request);
}

/* A persistent send, which goes by the buffer that is attached when it is started: one of ours, perhaps. */
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

/* The communicator is freed: what is left of its messages goes on. */
static int discard(host_comm comm, int key, void *value, void *state)
{
    detach(value);
    return HOST_MPI_SUCCESS;
}

/* A buffer that has messages, or null. It is held. */
static struct buffer *unflushed(void)
{
    pthread_mutex_lock(&lock);
    struct buffer *found = buffers;
    while (found && !has_left(found, UINT64_MAX))
        found = found->next;
    held(found);
    pthread_mutex_unlock(&lock);
    return found;
}

static void flush_all(void)
{
    for (struct buffer *each = unflushed(); each; each = unflushed()) {
        flush(each);
        let_go(each);
    }
}

static void forget_keyval(void)
{
    if (of_session_mpi_has_ended())
        __atomic_store_n(&keyval, 0, __ATOMIC_RELEASE);
}

void (*const when_session_has_ended)(void) = forget_keyval;

/* What the program was told is sent arrives. */
static int buffered_MPI_Finalize(void)
{
    flush_all();
    int rc = next.MPI_Finalize();
    forget_keyval();
    return rc;
}

/* From now on messages may go by a buffer of ours. Several threads may come here at once, with a keyval each. */
static int take_over(void)
{
    static int has_taken;
    int made, rc;
    if (__atomic_load_n(&keyval, __ATOMIC_ACQUIRE))
        return 0;
    rc = host.MPI_Comm_create_keyval((mpi_function *)HOST_MPI_COMM_NULL_COPY_FN, (mpi_function *)discard, &made, 0);
    if (rc != 0)
        return rc;
    pthread_mutex_lock(&lock);
    int first = !keyval;
    if (first && !has_taken++) {
        TAKE(MPI_Bsend) TAKE(MPI_Bsend_c) TAKE(MPI_Ibsend) TAKE(MPI_Ibsend_c)
    }
    if (first)
        __atomic_store_n(&keyval, made, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    return first ? 0 : host.MPI_Comm_free_keyval(&made);
}

/* Null, with an error class, if there can be none. */
static struct buffer *make(void *address, MPI_Count size, int *rc)
{
    struct buffer *made = 0;
    *rc = size < 0 || (!address && size > 0) ? HOST_MPI_ERR_ARG : take_over();
    if (*rc == 0 && !(made = calloc(1, sizeof *made)))
        *rc = HOST_MPI_ERR_NO_MEM;
    if (!made)
        return 0;
    reap_all();
    *made = (struct buffer){ .session = HOST_MPI_SESSION_NULL, .is_attached = 1, .address = address, .size = size,
                              .holders = 1 };
    pthread_mutex_lock(&lock);
    made->next = buffers;
    buffers = made;
    pthread_mutex_unlock(&lock);
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
    return !f->buffer || is_flushed(f->buffer, f->number);
}

static void release_flushing(void *arguments)
{
    struct flushing *f = arguments;
    if (f->buffer)
        let_go(f->buffer);
    free(f);
}

/* Without a buffer, there is nothing to wait for. The request lets it go. */
static int iflush(struct buffer *buffer, host_comm comm, host_request *request)
{
    struct flushing *f = malloc(sizeof *f);
    if (!f) {
        if (buffer)
            let_go(buffer);
        return fail_comm(comm, HOST_MPI_ERR_NO_MEM);
    }
    pthread_mutex_lock(&lock);
    *f = (struct flushing){ buffer, buffer ? buffer->last_number : 0 };
    pthread_mutex_unlock(&lock);
    return own_begin(&(struct own_operation){ .comm = comm, .issue = no_parts, .poll = poll_flushing,
                                              .release = release_flushing, .arguments = f }, request);
}

/* What is left of a buffer that is detached. */
static void report(struct buffer *buffer, void **address, MPI_Count *size)
{
    flush(buffer);
    *address = buffer->address;
    *size = is_automatic(buffer) ? 0 : buffer->size;
}

int built_MPI_Comm_attach_buffer(host_comm comm, void *buffer, int size)
{
    int rc;
    struct buffer *made = make(buffer, size, &rc), *other = made ? buffer_of(comm) : 0;
    if (other) {
        let_go(other);
        rc = HOST_MPI_ERR_BUFFER;
    }
    if (rc == 0)
        rc = host.MPI_Comm_set_attr(comm, keyval, made);
    else
        rc = fail_comm(comm, rc);
    if (rc != 0 && made)
        let_go(made);
    return rc;
}

int built_MPI_Comm_detach_buffer(host_comm comm, void *buffer_addr, int *size)
{
    MPI_Count bytes = 0;
    if (!buffer_addr || !size)
        return fail_comm(comm, HOST_MPI_ERR_ARG);
    struct buffer *buffer = buffer_of(comm);
    if (!buffer)
        return fail_comm(comm, HOST_MPI_ERR_BUFFER);
    report(buffer, buffer_addr, &bytes);
    *size = (int)bytes;
    let_go(buffer);
    return host.MPI_Comm_delete_attr(comm, keyval);
}

int built_MPI_Comm_flush_buffer(host_comm comm)
{
    struct buffer *buffer = buffer_of(comm);
    if (buffer) {
        flush(buffer);
        let_go(buffer);
    }
    return 0;
}

int built_MPI_Comm_iflush_buffer(host_comm comm, host_request *request)
{
    return iflush(buffer_of(comm), comm, request);
}

/* ---- buffers of sessions ---- */

/* The host's answer to a call about a session: one for which it asks nobody else. */
static int check_session(host_session session)
{
    host_info info;
    int rc = host.MPI_Session_get_info(session, &info);
    return rc == 0 ? host.MPI_Info_free(&info) : rc;
}

/* Attaches a buffer unless the session has one. */
static int give_to(host_session session, struct buffer *buffer)
{
    pthread_mutex_lock(&lock);
    int has_one = find_of_session(session) != 0;
    if (has_one)
        release(buffer);
    else
        buffer->session = session;
    pthread_mutex_unlock(&lock);
    return has_one ? HOST_MPI_ERR_BUFFER : 0;
}

int built_MPI_Session_attach_buffer(host_session session, void *buffer, int size)
{
    int rc = check_session(session);
    if (rc != 0)
        return rc;
    struct buffer *made = make(buffer, size, &rc);
    if (made)
        rc = give_to(session, made);
    return rc == 0 ? 0 : fail_session(session, rc);
}

int built_MPI_Session_detach_buffer(host_session session, void *buffer_addr, int *size)
{
    MPI_Count bytes = 0;
    int rc = check_session(session);
    if (rc != 0)
        return rc;
    if (!buffer_addr || !size)
        return fail_session(session, HOST_MPI_ERR_ARG);
    struct buffer *buffer = buffer_of_session(session);
    if (!buffer)
        return fail_session(session, HOST_MPI_ERR_BUFFER);
    report(buffer, buffer_addr, &bytes);
    *size = (int)bytes;
    detach(buffer);
    let_go(buffer);
    return 0;
}

int built_MPI_Session_flush_buffer(host_session session)
{
    int rc = check_session(session);
    struct buffer *buffer = rc == 0 ? buffer_of_session(session) : 0;
    if (buffer) {
        flush(buffer);
        let_go(buffer);
    }
    return rc;
}

int built_MPI_Session_iflush_buffer(host_session session, host_request *request)
{
    int rc = check_session(session);
    return rc == 0 ? iflush(buffer_of_session(session), HOST_MPI_COMM_SELF, request) : rc;
}

/* What it was told is sent arrives. */
static void end_session(host_session session)
{
    struct buffer *buffer = buffer_of_session(session);
    if (buffer) {
        flush(buffer);
        detach(buffer);
        let_go(buffer);
    }
    if (of_session_is_last())
        flush_all();
}

void (*const when_session_ends)(host_session session) = end_session;

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
    struct buffer *buffer = hold(process_buffer);
    if (!buffer)
        return fail(HOST_MPI_ERR_BUFFER);
    report(buffer, buffer_addr, size);
    __atomic_store_n(&process_buffer, 0, __ATOMIC_RELEASE);
    detach(buffer);
    let_go(buffer);
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
    return iflush(hold(process_buffer), HOST_MPI_COMM_SELF, request);
}

AT_START void buffered_begin(void)
{
    if (host_itself->MPI_Comm_attach_buffer != built_MPI_Comm_attach_buffer)
        return;
    TAKE(MPI_Buffer_attach) TAKE(MPI_Buffer_attach_c) TAKE(MPI_Buffer_detach) TAKE(MPI_Buffer_detach_c)
    TAKE(MPI_Bsend_init) TAKE(MPI_Bsend_init_c) TAKE(MPI_Finalize)
    of_session_begin();
}
