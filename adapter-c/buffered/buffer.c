/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "buffered/buffer.h"
#include "layers/lock.h"
#include "sessions/session_origin.h"
#include "convert/facts.h"
#include "convert/host_side.h"
#include "convert/life.h"

struct buffer {
    struct buffer *next;
    host_session session; /* that it is attached to, or the null handle */
    int is_attached;      /* to something */
    uint32_t life;        /* of MPI */
    void *address;
    MPI_Count size, used; /* what its messages would take of the program's bytes: they are in memory of their own */
    uint64_t last_number;
    struct message *messages;
    int holders;
};

static struct buffer *buffers, *process_buffer;
static struct adapter_keyval keyval; /* of a communicator's buffer */
LOCK(buffers);

static int is_automatic(const struct buffer *buffer)
{
    return buffer->address == HOST_MPI_BUFFER_AUTOMATIC;
}

/* ---- the lives of buffers and messages; the lock is held ---- */

static struct buffer *retain_buffer(struct buffer *buffer)
{
    if (buffer)
        buffer->holders++;
    return buffer;
}

static void release_buffer(struct buffer *buffer)
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
    retain_buffer(buffer);
}

static void drop_message(struct buffer *buffer, struct message *message)
{
    *message->link = message->next;
    if (message->next)
        message->next->link = message->link;
    buffer->used -= message->charge;
    free(message);
    release_buffer(buffer);
}

/* Returns the first of these messages that no thread asks about. */
static struct message *idle_from(struct message *message)
{
    while (message && message->is_tested)
        message = message->next;
    return message;
}

/* Asks the host whether a message has gone, without the lock. One that failed has gone, too. */
static int has_gone(struct message *message)
{
    int done = 0;
    message->is_tested = 1;
    message->tester = pthread_self();
    release_lock(buffers);
    host_code rc = host.MPI_Test(&message->request, &done, HOST_MPI_STATUS_IGNORE);
    take_lock(buffers);
    message->is_tested = 0;
    return rc != 0 || done;
}

/* Forgets messages that have gone. The caller holds the buffer. */
static void reap_messages(struct buffer *buffer)
{
    struct message *following;
    for (struct message *each = idle_from(buffer->messages); each; each = idle_from(following)) {
        int gone = has_gone(each);
        following = each->next;
        if (gone)
            drop_message(buffer, each);
    }
}

/* Returns whether a message up to `number` has still to go. One that this very thread asks about has failed: the error handler that is
 * running now asks for the rest. */
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

/* ---- without the lock; the caller holds the buffer ---- */

void buffer_release(struct buffer *buffer)
{
    if (!buffer)
        return;
    take_lock(buffers);
    release_buffer(buffer);
    release_lock(buffers);
}

int buffer_is_flushed(struct buffer *buffer, uint64_t number)
{
    take_lock(buffers);
    reap_messages(buffer);
    int left = has_left(buffer, number);
    release_lock(buffers);
    return !left;
}

void buffer_flush(struct buffer *buffer)
{
    while (!buffer_is_flushed(buffer, UINT64_MAX))
        sched_yield();
}

uint64_t buffer_last(struct buffer *buffer)
{
    take_lock(buffers);
    uint64_t last = buffer->last_number;
    release_lock(buffers);
    return last;
}

void *buffer_address(const struct buffer *buffer)
{
    return buffer->address;
}

MPI_Count buffer_size(const struct buffer *buffer)
{
    return is_automatic(buffer) ? 0 : buffer->size;
}

/* ---- all of them ---- */

struct buffer *buffer_new(void *address, MPI_Count size)
{
    struct buffer *made = calloc(1, sizeof *made);
    if (!made)
        return 0;
    *made = (struct buffer){ .session = HOST_MPI_SESSION_NULL, .is_attached = 1, .life = life(), .address = address,
                             .size = size, .holders = 1 };
    take_lock(buffers);
    made->next = buffers;
    buffers = made;
    release_lock(buffers);
    return made;
}

/* Includes buffers that are no longer attached, and communicators that the program has freed: these live as long as
 * their messages, and some hosts delete attributes no earlier. */
void buffers_reap(void)
{
    struct buffer *following;
    take_lock(buffers);
    for (struct buffer *each = retain_buffer(buffers); each; each = following) {
        reap_messages(each);
        following = retain_buffer(each->next);
        release_buffer(each);
    }
    release_lock(buffers);
}

/* Finds a buffer that has messages, and takes a reference to it. Returns null if there is none. */
static struct buffer *unflushed(void)
{
    take_lock(buffers);
    struct buffer *found = buffers;
    while (found && !has_left(found, UINT64_MAX))
        found = found->next;
    retain_buffer(found);
    release_lock(buffers);
    return found;
}

/* Delivers the messages whose sends have already returned success. */
void buffers_flush(void)
{
    for (struct buffer *each = unflushed(); each; each = unflushed()) {
        buffer_flush(each);
        buffer_release(each);
    }
}

/* ---- what they are attached to ---- */

/* The lock is held. */
static struct buffer *find_of_session(host_session session)
{
    struct buffer *found = buffers;
    while (found && HOST_SESSION_BITS(found->session) != HOST_SESSION_BITS(session))
        found = found->next;
    return found;
}

/* Returns null for a buffer of an earlier life of MPI. The lock is held. */
static struct buffer *find_of_process(void)
{
    return process_buffer && process_buffer->life == life() ? process_buffer : 0;
}

/* Returns null if another thread has detached the buffer meanwhile, and it is freed. */
static struct buffer *find_and_retain(const struct buffer *wanted)
{
    take_lock(buffers);
    struct buffer *found = buffers;
    while (found && found != wanted)
        found = found->next;
    retain_buffer(found);
    release_lock(buffers);
    return found;
}

/* No communicator has a buffer before the keyval is made. */
int buffer_of_comm(host_comm comm, struct buffer **buffer)
{
    struct buffer *found = 0;
    int flag = 0, key = adapter_keyval(&keyval), has_key = key != HOST_MPI_KEYVAL_INVALID;
    host_code rc = has_key ? host.MPI_Comm_get_attr(comm, key, &found, &flag) : host.MPI_Comm_test_inter(comm, &flag);
    *buffer = rc == 0 && has_key && flag ? find_and_retain(found) : 0;
    return rc;
}

struct buffer *buffer_of_session(host_session session)
{
    if (HOST_SESSION_BITS(session) == HOST_SESSION_BITS(HOST_MPI_SESSION_NULL))
        return 0;
    take_lock(buffers);
    struct buffer *found = retain_buffer(find_of_session(session));
    release_lock(buffers);
    return found;
}

struct buffer *buffer_of_process(void)
{
    if (!__atomic_load_n(&process_buffer, __ATOMIC_ACQUIRE))
        return 0;
    take_lock(buffers);
    struct buffer *found = retain_buffer(find_of_process());
    release_lock(buffers);
    return found;
}

int buffer_for(host_comm comm, struct buffer **buffer)
{
    host_code rc = buffer_of_comm(comm, buffer);
    if (rc == 0 && !*buffer)
        *buffer = buffer_of_session(session_of(comm));
    if (rc == 0 && !*buffer)
        *buffer = buffer_of_process();
    return rc;
}

/* The communicator is freed: what is left of its messages goes on. */
static int discard_of_comm(host_comm comm, int key, void *value, void *state)
{
    buffer_detach(value);
    return HOST_MPI_SUCCESS;
}

/* A communicator that a thread is attaching a buffer to. */
struct attaching {
    struct attaching *next;
    intptr_t comm;
};
static struct attaching *attaching;

/* Claims the communicator. Returns whether no other thread has claimed it. */
static int begin_attaching(struct attaching *claim, host_comm comm)
{
    *claim = (struct attaching){ 0, HOST_COMM_BITS(comm) };
    take_lock(buffers);
    struct attaching *other = attaching;
    while (other && other->comm != claim->comm)
        other = other->next;
    if (!other) {
        claim->next = attaching;
        attaching = claim;
    }
    release_lock(buffers);
    return !other;
}

static void end_attaching(struct attaching *claim)
{
    take_lock(buffers);
    struct attaching **link = &attaching;
    while (*link != claim)
        link = &(*link)->next;
    *link = claim->next;
    release_lock(buffers);
}

static int attach_first(struct buffer *buffer, host_comm comm)
{
    void *other;
    int has_one = 0, key = adapter_keyval(&keyval), rc = host.MPI_Comm_get_attr(comm, key, &other, &has_one);
    if (rc == 0 && has_one)
        return HOST_MPI_ERR_BUFFER;
    return rc == 0 ? host.MPI_Comm_set_attr(comm, key, buffer) : rc;
}

int buffer_attach_to_comm(struct buffer *buffer, host_comm comm)
{
    struct attaching claim;
    host_code rc = adapter_keyval_need(&keyval, host.MPI_Comm_create_keyval, host.MPI_Comm_free_keyval,
                                       (mpi_function *)HOST_MPI_COMM_NULL_COPY_FN, (mpi_function *)discard_of_comm);
    if (rc != 0)
        return rc;
    if (!begin_attaching(&claim, comm))
        return HOST_MPI_ERR_BUFFER;
    rc = attach_first(buffer, comm);
    end_attaching(&claim);
    return rc;
}

int buffer_attach_to_session(struct buffer *buffer, host_session session)
{
    take_lock(buffers);
    int has_one = find_of_session(session) != 0;
    if (!has_one)
        buffer->session = session;
    release_lock(buffers);
    return has_one ? HOST_MPI_ERR_BUFFER : 0;
}

int buffer_attach_to_process(struct buffer *buffer)
{
    take_lock(buffers);
    int has_one = find_of_process() != 0;
    if (!has_one)
        __atomic_store_n(&process_buffer, buffer, __ATOMIC_RELEASE);
    release_lock(buffers);
    return has_one ? HOST_MPI_ERR_BUFFER : 0;
}

int buffer_detach(struct buffer *buffer)
{
    take_lock(buffers);
    int was_attached = buffer->is_attached;
    if (was_attached) {
        buffer->is_attached = 0;
        buffer->session = HOST_MPI_SESSION_NULL;
        if (process_buffer == buffer)
            __atomic_store_n(&process_buffer, 0, __ATOMIC_RELEASE);
        reap_messages(buffer);
        release_buffer(buffer);
    }
    release_lock(buffers);
    return was_attached;
}

int buffer_leaves_comm(host_comm comm)
{
    return host.MPI_Comm_delete_attr(comm, adapter_keyval(&keyval));
}

/* ---- sending ---- */

/* Takes room for a message, which holds the buffer. Returns false if the buffer is full. */
static int take_room(struct buffer *buffer, MPI_Count charge)
{
    take_lock(buffers);
    reap_messages(retain_buffer(buffer));
    int fits = is_automatic(buffer) || buffer->used + charge <= buffer->size;
    if (fits)
        buffer->used += charge;
    else
        release_buffer(buffer);
    release_lock(buffers);
    return fits;
}

/* Gives the buffer a message whose send began, or takes its room back. */
static void settle_message(struct buffer *buffer, struct message *message, host_code rc)
{
    take_lock(buffers);
    if (rc == 0)
        add_message(buffer, message);
    else
        buffer->used -= message->charge;
    release_buffer(buffer);
    release_lock(buffers);
}

int buffer_send(struct buffer *buffer, struct message *message, MPI_Count length, int dest, int tag, host_comm comm)
{
    message->charge = length + (application_bsend_overhead < HOST_MPI_BSEND_OVERHEAD ? application_bsend_overhead
                                                                                      : HOST_MPI_BSEND_OVERHEAD);
    if (!take_room(buffer, message->charge))
        return fail_comm_in(comm, HOST_MPI_ERR_BUFFER, "MPI_Bsend, or another buffered send,");
    host_code rc = host.MPI_Isend_c(message->data, length, HOST_MPI_PACKED, dest, tag, comm, &message->request);
    settle_message(buffer, message, rc);
    return rc;
}
