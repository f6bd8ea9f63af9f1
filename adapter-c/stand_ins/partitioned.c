/* SPDX-License-Identifier: BSD-3-Clause */
/* Partitioned communication, MPI-4.1 chapter 4, on a host that has none. Each partition that the sender has marked is a
 * message in adapter_world(), received where it belongs in the receiver's buffer, whatever partitions that has.
 *
 * Nothing that is left to do may wait for another call of ours, for the program may be in one of the host's by then. At
 * the first start the receiver does not know the sender's partitions, and cannot be ready for them: these are copied, so
 * that the sender's operation is complete. From the second start on the receiver is ready when it has started, and
 * data is sent from the buffer. */
#include <pthread.h>
#include <stdlib.h>

#include "stand_ins/channel.h"
#include "stand_ins/collective.h"
#include "sessions/adapter_world.h"
#include "convert/host_side.h"
#include "layers/lock.h"
#include "convert/say.h"
#include "requests/held_handle.h"
#include "requests/adapter_request.h"
#include "layers/built.h"

/* Common to both sides. The lock protects all members that change after the request is made. */
struct partitioned {
    pthread_mutex_t lock;
    struct holding held;
    host_datatype datatype;
    char *buffer;
    int partitions, rank, tag; /* as the program said */
    int peer;                  /* in adapter_world() */
    MPI_Count count, bytes;    /* of a partition: elements, and bytes of data */
    MPI_Aint extent;           /* of an element */
    MPI_Count size;
    int messages;              /* one for each partition of the sender's */
    host_request *message;     /* null handles when complete */
};

static void *place_of_element(const struct partitioned *p, MPI_Count element)
{
    return p->buffer + element * p->extent;
}

/* Makes room for requests, all null handles. Returns an error code if memory runs out. */
static int make_messages(struct partitioned *p, int64_t number)
{
    p->message = malloc((size_t)number * sizeof *p->message + 1);
    p->messages = p->message ? (int)number : 0;
    for (int i = 0; i < p->messages; i++)
        p->message[i] = HOST_MPI_REQUEST_NULL;
    return p->message ? 0 : HOST_MPI_ERR_NO_MEM;
}

/* Messages go only where adapter_world() does. */
static int refuse_procedure(host_comm comm, const char *procedure)
{
    static int said;
    if (__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
        return fail_comm_in(comm, unsupported(procedure), procedure);
    if (adapter_world_is_made())
        complain("partitioned communication does not reach spawned or connected processes; send messages to them");
    else
        complain("%s was called, but nothing loaded at MPI_Init names it, or the ranks may run other programs; set "
                 "MPI_ADAPTER_PARTITIONED=1 for all ranks, if each is adapted", procedure);
    return fail_comm_in(comm, unsupported(procedure), procedure);
}

/* Fills in what both sides have; raises an error if the arguments are wrong. */
static int begin_operation(struct partitioned *p, const void *buf, int partitions, MPI_Count count,
                           host_datatype datatype, int rank, int tag, host_comm comm, const char *procedure)
{
    MPI_Count size = 0;
    MPI_Aint lower;
    host_code rc = check_send(buf, count, datatype, rank, tag, comm);
    if (rc != 0)
        return rc;
    if (partitions < 0)
        return fail_comm_in(comm, HOST_MPI_ERR_ARG, procedure);
    int peer = adapter_world_is_made() ? adapter_world_rank(comm, rank) : HOST_MPI_UNDEFINED;
    if (peer == HOST_MPI_UNDEFINED || (peer != HOST_MPI_PROC_NULL && !adapter_world_number(comm)))
        return refuse_procedure(comm, procedure);
    *p = (struct partitioned){ .lock = PTHREAD_MUTEX_INITIALIZER, .datatype = datatype, .buffer = (char *)buf,
                               .partitions = partitions, .rank = rank, .tag = tag, .peer = peer, .count = count };
    rc = host.MPI_Type_size_x(datatype, &size);
    if (rc == 0)
        rc = host.MPI_Type_get_extent(datatype, &lower, &p->extent);
    p->size = size;
    p->bytes = size * count;
    return rc != 0 ? fail_comm_in(comm, rc, procedure) : 0;
}

/* The request of an operation, which owns `p` with all that it is the beginning of. */
static int make_request(struct partitioned *p, host_comm comm, struct adapter_operation operation,
                        host_request *request)
{
    operation.comm = comm;
    operation.arguments = p;
    p->held = (struct holding){ comm, HOST_MPI_OP_NULL, 1, &p->datatype };
    if (hold_all(&p->held) != 0) {
        p->held.count = 0;
        p->held.comm = HOST_MPI_COMM_NULL;
        operation.release(p);
        return fail_comm(comm, HOST_MPI_ERR_NO_MEM);
    }
    return adapter_persistent(&operation, request);
}

static void release_operation(struct partitioned *p)
{
    release_all(&p->held);
    free(p->message);
    free(p);
}

/* ---- sending ---- */

struct sending {
    struct partitioned p;
    int first_tag;
    int starts, marked, failed;
    unsigned char *is_marked;
};

static void release_sending(void *arguments)
{
    struct sending *s = arguments;
    free(s->is_marked);
    release_operation(&s->p);
}

static int start_sending(void *arguments, host_request *parts)
{
    struct sending *s = arguments;
    memset(s->is_marked, 0, (size_t)s->p.partitions);
    s->marked = s->failed = 0;
    s->starts += s->starts < 2;
    return 0;
}

static int poll_sending(void *arguments, host_status *status, int *error)
{
    struct sending *s = arguments;
    int done = 0;
    take_lock_at(partitioned, &s->p.lock);
    if (!*error && s->marked == s->p.partitions)
        *error = host.MPI_Testall(s->p.messages, s->p.message, &done, HOST_MPI_STATUSES_IGNORE);
    release_lock_at(partitioned, &s->p.lock);
    if (*error != 0 && !s->failed)
        *error = fail_comm(s->p.held.comm, *error);
    s->failed = *error != 0;
    return done || *error != 0;
}

static int wants_marks(void *arguments)
{
    struct sending *s = arguments;
    take_lock_at(partitioned, &s->p.lock);
    int wants = !s->failed && s->marked < s->p.partitions;
    release_lock_at(partitioned, &s->p.lock);
    return wants;
}

/* Sends a copy of a partition. Returns -1 if there is no memory for it. */
static int send_copy(const struct partitioned *p, int partition, int tag)
{
    MPI_Count room = 0, length = 0;
    host_code rc = host.MPI_Pack_size_c(p->count, p->datatype, adapter_world(), &room);
    void *packed = rc == 0 ? malloc((size_t)room + 1) : 0;
    if (rc != 0 || !packed)
        return rc != 0 ? rc : -1;
    rc = host.MPI_Pack_c(place_of_element(p, partition * p->count), p->count, p->datatype, packed, room, &length,
                         adapter_world());
    if (rc == 0)
        return channel_send_packed(packed, length, p->peer, tag);
    free(packed);
    return rc;
}

static int send_partition(struct sending *s, int partition)
{
    struct partitioned *p = &s->p;
    int tag = s->first_tag + partition, rc = -1;
    if (p->peer == HOST_MPI_PROC_NULL)
        return 0;
    if (s->starts == 1)
        rc = send_copy(p, partition, tag);
    return rc != -1 ? rc
                    : host.MPI_Isend_c(place_of_element(p, partition * p->count), p->count, p->datatype, p->peer, tag,
                                       adapter_world(), &p->message[partition]);
}

/* Marks a partition, which must not be marked yet. */
static int mark_partition(struct sending *s, int partition)
{
    take_lock_at(partitioned, &s->p.lock);
    host_code rc = s->is_marked[partition] ? HOST_MPI_ERR_ARG : send_partition(s, partition);
    if (rc == 0) {
        s->is_marked[partition] = 1;
        s->marked++;
    }
    release_lock_at(partitioned, &s->p.lock);
    return rc == 0 ? 0 : fail_comm_in(s->p.held.comm, rc, "MPI_Pready");
}

/* The arguments of an active request that sends; null, with an error raised, for any other. */
static struct sending *active_sending(host_request request, int *rc)
{
    struct sending *s = adapter_arguments(request, start_sending);
    *rc = s && !adapter_is_inactive(request) ? 0 : fail_in(HOST_MPI_ERR_REQUEST, "MPI_Pready");
    return *rc == 0 ? s : 0;
}

static host_code ready(int low, int high, host_request request, const char *procedure)
{
    host_code rc;
    struct sending *s = active_sending(request, &rc);
    if (s && (low < 0 || high < low || high >= s->p.partitions))
        return fail_comm_in(s->p.held.comm, HOST_MPI_ERR_ARG, procedure);
    for (int i = low; rc == 0 && i <= high; i++)
        rc = mark_partition(s, i);
    return rc;
}

host_code built_MPI_Pready_range(int partition_low, int partition_high, host_request request)
{
    return ready(partition_low, partition_high, request, "MPI_Pready_range");
}

host_code built_MPI_Pready(int partition, host_request request)
{
    return ready(partition, partition, request, "MPI_Pready");
}

host_code built_MPI_Pready_list(int length, const int *array_of_partitions, host_request request)
{
    host_code rc;
    struct sending *s = active_sending(request, &rc);
    int wrong = s && (length < 0 || (length > 0 && !array_of_partitions));
    for (int i = 0; s && !wrong && i < length; i++)
        wrong = array_of_partitions[i] < 0 || array_of_partitions[i] >= s->p.partitions;
    if (wrong)
        return fail_comm(s->p.held.comm, HOST_MPI_ERR_ARG);
    for (int i = 0; rc == 0 && i < length; i++)
        rc = mark_partition(s, array_of_partitions[i]);
    return rc;
}

host_code built_MPI_Psend_init(const void *buf, int partitions, MPI_Count count, host_datatype datatype, int dest, int tag,
                         host_comm comm, host_info info, host_request *request)
{
    struct sending *s = calloc(1, sizeof *s);
    if (!s)
        return fail_comm(comm, HOST_MPI_ERR_NO_MEM);
    host_code rc = begin_operation(&s->p, buf, partitions, count, datatype, dest, tag, comm, "MPI_Psend_init");
    if (rc != 0) {
        free(s);
        return rc;
    }
    struct opening opening = {
        .comm = adapter_world_number(comm), .tag = tag, .partitions = partitions, .bytes = s->p.bytes
    };
    s->is_marked = malloc((size_t)partitions + 1);
    rc = s->is_marked ? make_messages(&s->p, partitions) : HOST_MPI_ERR_NO_MEM;
    if (rc == 0 && s->p.peer != HOST_MPI_PROC_NULL)
        rc = channel_open(&opening, s->p.peer);
    s->first_tag = opening.first_tag;
    if (rc == 0)
        return make_request(
            &s->p, comm,
            (struct adapter_operation){
                .issue = start_sending, .poll = poll_sending, .wants_calls = wants_marks, .release = release_sending },
            request);
    release_sending(s);
    return fail_comm(comm, rc);
}

/* A library without it takes an MPI_Count in MPI_Psend_init. */
int built_MPI_Psend_init_c(const void *buf, int partitions, MPI_Count count, host_datatype datatype, int dest, int tag,
                           host_comm comm, host_info info, host_request *request)
{
    return host.MPI_Psend_init(buf, partitions, count, datatype, dest, tag, comm, info, request);
}

/* ---- receiving ---- */

struct receiving {
    struct partitioned p;
    struct channel channel;
    int active;            /* started, and not complete */
    int posted;            /* the host has been asked for the messages */
    int error;
    char *staged;          /* messages as bytes, where they do not end where elements do; or null */
    unsigned char *placed; /* partitions that have been unpacked from there */
};

static void release_receiving(void *arguments)
{
    struct receiving *r = arguments;
    channel_forget(&r->channel);
    free(r->staged);
    free(r->placed);
    release_operation(&r->p);
}

/* Returns how many bytes the sender's partitions have together. */
static MPI_Count bytes_sent(const struct receiving *r)
{
    return r->channel.opening.partitions * r->channel.opening.bytes;
}

/* Makes room for the messages, at the first start. The receive may be larger than what is sent. */
static int prepare_messages(struct receiving *r)
{
    const struct opening *from = &r->channel.opening;
    if (r->p.message)
        return 0;
    if (bytes_sent(r) > r->p.partitions * r->p.bytes)
        return HOST_MPI_ERR_TRUNCATE;
    if (r->p.size > 0 && from->bytes % r->p.size != 0) {
        r->staged = malloc((size_t)bytes_sent(r));
        r->placed = malloc((size_t)r->p.partitions);
        if (!r->staged || !r->placed)
            return HOST_MPI_ERR_NO_MEM;
    }
    return make_messages(&r->p, from->partitions);
}

static int post_message(struct receiving *r, int i)
{
    struct partitioned *p = &r->p;
    MPI_Count bytes = r->channel.opening.bytes, elements = p->size > 0 ? bytes / p->size : 0;
    int tag = r->channel.opening.first_tag + i;
    return r->staged ? host.MPI_Irecv_c(r->staged + i * bytes, bytes, HOST_MPI_PACKED, p->peer, tag, adapter_world(),
                                        &p->message[i])
                     : host.MPI_Irecv_c(place_of_element(p, i * elements), elements, p->datatype, p->peer, tag,
                                        adapter_world(), &p->message[i]);
}

/* Asks the host for the messages, as soon as it is known which these are. */
static void post_receives(struct receiving *r)
{
    if (r->posted || r->error)
        return;
    if (!channel_is_open(&r->channel))
        r->error = channel_progress(&r->channel, r->p.peer);
    if (!channel_is_open(&r->channel))
        return;
    if (!r->error)
        r->error = prepare_messages(r);
    if (r->placed && !r->error)
        memset(r->placed, 0, (size_t)r->p.partitions);
    for (int i = 0; i < r->p.messages && !r->error; i++)
        r->error = post_message(r, i);
    r->posted = 1;
}

static int start_receiving(void *arguments, host_request *parts)
{
    struct receiving *r = arguments;
    take_lock_at(partitioned, &r->p.lock);
    r->active = r->p.peer != HOST_MPI_PROC_NULL;
    r->posted = r->error = 0;
    if (r->active)
        post_receives(r);
    release_lock_at(partitioned, &r->p.lock);
    return 0;
}

/* Unpacks the first bytes of an element: the rest of it is packed where they end, and comes back as it was. */
static int place_part(const struct partitioned *p, void *element, const char *packed, MPI_Count bytes)
{
    MPI_Count position = 0;
    char *whole = malloc((size_t)p->size);
    if (!whole)
        return HOST_MPI_ERR_NO_MEM;
    host_code rc = host.MPI_Pack_c(element, 1, p->datatype, whole, p->size, &position, adapter_world());
    memcpy(whole, packed, (size_t)bytes);
    position = 0;
    if (rc == 0)
        rc = host.MPI_Unpack_c(whole, p->size, &position, element, 1, p->datatype, adapter_world());
    free(whole);
    return rc;
}

/* Unpacks a partition whose messages are all there: as much as was sent to it, which may end within an element. */
static int partition_place(struct receiving *r, int partition)
{
    struct partitioned *p = &r->p;
    MPI_Count position = 0, begin = partition * p->bytes, bytes = bytes_sent(r) - begin;
    if (!r->staged || r->placed[partition])
        return 0;
    r->placed[partition] = 1;
    bytes = bytes < p->bytes ? bytes : p->bytes;
    MPI_Count elements = bytes > 0 ? bytes / p->size : 0, whole = elements * p->size, first = partition * p->count;
    const char *from = r->staged + begin;
    host_code rc = elements > 0 ? host.MPI_Unpack_c(from, whole, &position, place_of_element(p, first), elements, p->datatype,
                                                    adapter_world())
                                : 0;
    return rc == 0 && bytes > whole ? place_part(p, place_of_element(p, first + elements), from + whole, bytes - whole) : rc;
}

static void fill_in(const struct receiving *r, host_status *status)
{
    const struct partitioned *p = &r->p;
    int is_null = p->peer == HOST_MPI_PROC_NULL;
    host.MPI_Status_set_elements_x(status, HOST_MPI_BYTE, is_null ? 0 : bytes_sent(r));
    host.MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = p->rank;
    status->MPI_TAG = is_null ? HOST_MPI_ANY_TAG : p->tag;
}

/* Ends the operation if all messages have been received. */
static void complete_receive(struct receiving *r)
{
    int done = 0;
    post_receives(r);
    if (!r->error && r->posted)
        r->error = host.MPI_Testall(r->p.messages, r->p.message, &done, HOST_MPI_STATUSES_IGNORE);
    for (int i = 0; done && !r->error && i < r->p.partitions; i++)
        r->error = partition_place(r, i);
    r->active = !done && !r->error;
}

static int poll_receiving(void *arguments, host_status *status, int *error)
{
    struct receiving *r = arguments;
    take_lock_at(partitioned, &r->p.lock);
    int ends = r->active;
    if (r->active)
        complete_receive(r);
    int done = !r->active;
    release_lock_at(partitioned, &r->p.lock);
    if (!done)
        return 0;
    if (ends && r->error)
        r->error = fail_comm(r->p.held.comm, r->error);
    *error = r->error;
    fill_in(r, status);
    return 1;
}

/* Finds the messages that a partition is in: from `*first` to before `*end`. Partitions without data share the sender's partitions
 * evenly. A partition beyond what is sent is there when all messages are. */
static void find_messages(const struct receiving *r, int64_t partition, MPI_Count *first, MPI_Count *end)
{
    MPI_Count bytes = r->channel.opening.bytes, sent = r->channel.opening.partitions, partitions = r->p.partitions;
    MPI_Count each = bytes > 0 ? r->p.bytes : sent, unit = bytes > 0 ? bytes : partitions;
    *first = partition * each / unit;
    *end = ((partition + 1) * each + unit - 1) / unit;
    *end = *end < sent ? *end : sent;
    *first = *first < *end ? *first : 0;
}

/* True if the messages that a partition is in are there. The lock is held. */
static int has_arrived(struct receiving *r, int partition)
{
    MPI_Count i, end;
    int there = 1;
    for (find_messages(r, partition, &i, &end); there && !r->error && i < end; i++)
        r->error = host.MPI_Test(&r->p.message[i], &there, HOST_MPI_STATUS_IGNORE);
    if (there && !r->error)
        r->error = partition_place(r, partition);
    return there && !r->error;
}

host_code built_MPI_Parrived(host_request request, int partition, int *flag)
{
    struct receiving *r = adapter_arguments(request, start_receiving);
    if (!flag)
        return fail(HOST_MPI_ERR_ARG);
    *flag = 1;
    if (!r)
        return HOST_REQUEST_BITS(request) == HOST_REQUEST_BITS(HOST_MPI_REQUEST_NULL) ? 0 : fail(HOST_MPI_ERR_REQUEST);
    if (partition < 0 || partition >= r->p.partitions)
        return fail_comm(r->p.held.comm, HOST_MPI_ERR_ARG);
    if (adapter_is_inactive(request))
        return 0;
    take_lock_at(partitioned, &r->p.lock);
    if (r->active) {
        post_receives(r);
        *flag = r->posted && !r->error && has_arrived(r, partition);
    }
    release_lock_at(partitioned, &r->p.lock);
    return 0;
}

host_code built_MPI_Precv_init(void *buf, int partitions, MPI_Count count, host_datatype datatype, int source, int tag,
                         host_comm comm, host_info info, host_request *request)
{
    struct receiving *r = calloc(1, sizeof *r);
    if (!r)
        return fail_comm(comm, HOST_MPI_ERR_NO_MEM);
    host_code rc = begin_operation(&r->p, buf, partitions, count, datatype, source, tag, comm, "MPI_Precv_init");
    if (rc != 0) {
        free(r);
        return rc;
    }
    r->channel.opening = (struct opening){ .comm = adapter_world_number(comm), .tag = tag };
    if (r->p.peer != HOST_MPI_PROC_NULL && channel_expect(&r->channel, r->p.peer) != 0) {
        release_receiving(r);
        return fail_comm(comm, HOST_MPI_ERR_NO_MEM);
    }
    return make_request(
        &r->p, comm,
        (struct adapter_operation){ .issue = start_receiving, .poll = poll_receiving, .release = release_receiving },
        request);
}

int built_MPI_Precv_init_c(void *buf, int partitions, MPI_Count count, host_datatype datatype, int source, int tag,
                           host_comm comm, host_info info, host_request *request)
{
    return host.MPI_Precv_init(buf, partitions, count, datatype, source, tag, comm, info, request);
}
