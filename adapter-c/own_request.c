/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "own_request.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "adapter.h"

struct own {
    struct own_operation operation;
    int active, persistent;
    int error;            /* of the first part that failed */
    host_status status;   /* of the status part, once that is complete */
    struct own *next;     /* among the freed ones that are not complete */
    host_request parts[]; /* null handles when complete */
};

/* Handles are places in an array that is reserved once. Where the host's requests are addresses a
 * handle is the place's address; where they are integers it is the place's number above
 * FIRST_INTEGER, among which no host has requests. */
#define PLACES (1 << 22)
#define FIRST_INTEGER INT32_MIN
#define HANDLES_ARE_ADDRESSES (sizeof(host_request) > sizeof(int32_t))
struct place {
    struct own *own;
    intptr_t next_free;
};
static struct place *places;
static intptr_t free_place, used_places; /* free_place is a number + 1, or 0 */
static struct own *freed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static host_request handle_of(intptr_t number)
{
    return HANDLES_ARE_ADDRESSES ? HOST_REQUEST_FROM((intptr_t)&places[number])
                                 : HOST_REQUEST_FROM(FIRST_INTEGER + number);
}

/* The place of a request of ours, or null for a request of the host's. */
static struct place *place_of(host_request request)
{
    intptr_t bits = HOST_REQUEST_BITS(request);
    struct place *first = __atomic_load_n(&places, __ATOMIC_ACQUIRE);
    uintptr_t offset = HANDLES_ARE_ADDRESSES ? ((uintptr_t)bits - (uintptr_t)first) / sizeof *first
                                             : (uintptr_t)(bits - FIRST_INTEGER);
    return first && offset < PLACES ? &first[offset] : 0;
}

static struct own *own_of(host_request request)
{
    struct place *place = place_of(request);
    return place ? place->own : 0;
}

static int is_null(host_request request)
{
    return HOST_REQUEST_BITS(request) == HOST_REQUEST_BITS(HOST_MPI_REQUEST_NULL);
}

static int reserve(void)
{
    if (places)
        return 0;
    void *memory = mmap(0, PLACES * sizeof *places, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return -1;
    __atomic_store_n(&places, memory, __ATOMIC_RELEASE);
    return 0;
}

/* Gives a request its handle; non-zero if there is none left. */
static int publish(struct own *own, host_request *request)
{
    int failed = -1;
    pthread_mutex_lock(&lock);
    if (reserve() == 0 && (free_place || used_places < PLACES)) {
        intptr_t number = free_place ? free_place - 1 : used_places++;
        free_place = free_place ? places[number].next_free : 0;
        places[number].own = own;
        *request = handle_of(number);
        __atomic_add_fetch(&special_requests, 1, __ATOMIC_RELAXED);
        failed = 0;
    }
    pthread_mutex_unlock(&lock);
    return failed;
}

static void withdraw(host_request request)
{
    release_one(request, UINT64_MAX);
    struct place *place = place_of(request);
    pthread_mutex_lock(&lock);
    place->own = 0;
    place->next_free = free_place;
    free_place = place - places + 1;
    __atomic_sub_fetch(&special_requests, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

static void release_arguments(const struct own_operation *operation)
{
    if (operation->release)
        operation->release(operation->arguments);
}

static void destroy(struct own *own)
{
    release_arguments(&own->operation);
    free(own);
}

static int is_complete(const struct own *own)
{
    for (int i = 0; i < own->operation.parts; i++)
        if (!is_null(own->parts[i]))
            return 0;
    return 1;
}

/* Active, and every part complete: the next completion call reports it. */
static int is_ready(const struct own *own)
{
    return own && own->active && is_complete(own);
}

/* Releases freed requests whose operations are complete by now. */
static void reap(void)
{
    pthread_mutex_lock(&lock);
    struct own *list = freed;
    freed = 0;
    pthread_mutex_unlock(&lock);
    while (list) {
        struct own *own = list;
        int done = 0;
        list = own->next;
        host.MPI_Testall(own->operation.parts, own->parts, &done, HOST_MPI_STATUSES_IGNORE);
        if (done) {
            destroy(own);
            continue;
        }
        pthread_mutex_lock(&lock);
        own->next = freed;
        freed = own;
        pthread_mutex_unlock(&lock);
    }
}

/* A request of ours, which takes over the arguments; null, with an error raised, if there is none. */
static struct own *make(const struct own_operation *operation, host_request *request, int *rc)
{
    struct own *own = request ? calloc(1, sizeof *own + (size_t)operation->parts * sizeof(host_request)) : 0;
    reap();
    if (own) {
        own->operation = *operation;
        for (int i = 0; i < operation->parts; i++)
            own->parts[i] = HOST_MPI_REQUEST_NULL;
        if (publish(own, request) == 0)
            return own;
    }
    free(own);
    release_arguments(operation);
    *rc = fail_comm(operation->comm, request ? HOST_MPI_ERR_NO_MEM : HOST_MPI_ERR_ARG);
    return 0;
}

void empty_status(host_status *status)
{
    host_request none = HOST_MPI_REQUEST_NULL;
    int flag;
    host.MPI_Test(&none, &flag, status);
    status->MPI_ERROR = HOST_MPI_SUCCESS;
}

/* Begins the operation's parts. If the host refuses one after others began, the request stays active
 * until these are complete. */
static int begin(struct own *own)
{
    own->error = 0;
    empty_status(&own->status);
    int rc = own->operation.issue(own->operation.arguments, own->parts);
    own->active = rc == 0 || !is_complete(own);
    return rc;
}

int own_begin(const struct own_operation *operation, host_request *request)
{
    int rc = 0;
    struct own *own = make(operation, request, &rc);
    if (own && (rc = begin(own)) != 0)
        own_free(request);
    return rc;
}

int own_persistent(const struct own_operation *operation, host_request *request)
{
    int rc = 0;
    struct own *own = make(operation, request, &rc);
    if (own)
        own->persistent = 1;
    return rc;
}

/* A complete operation is reported: what the application's handle and status become. */
static int report(host_request *request, host_status *status)
{
    struct own *own = own_of(*request);
    int error = own->error;
    if (status != HOST_MPI_STATUS_IGNORE) {
        *status = own->status;
        status->MPI_ERROR = error;
    }
    own->active = 0;
    if (!own->persistent) {
        withdraw(*request);
        destroy(own);
        *request = HOST_MPI_REQUEST_NULL;
    }
    return error;
}

/* A part, or a request of the host's, that a call may have completed: `before` is what it was, and
 * `mark` was taken then. */
static void settle(host_request before, host_request after, uint64_t mark)
{
    if (HOST_REQUEST_BITS(before) != HOST_REQUEST_BITS(after))
        release_one(before, mark);
}

/* The host's requests that an array stands for. */
struct spread {
    int count;
    host_request *requests, *before;
    host_status *statuses;
    int *owner, *part;       /* place in the application's array, and part of the request there */
    int *indices;
    uint64_t mark;
};

static int parts_of(const host_request *requests, int count)
{
    int total = 0;
    for (int i = 0; i < count; i++) {
        const struct own *own = own_of(requests[i]);
        total += own ? own->operation.parts : 1;
    }
    return total;
}

static void put(struct spread *e, host_request request, int owner, int part)
{
    int k = e->count++;
    e->requests[k] = e->before[k] = request;
    e->statuses[k].MPI_SOURCE = e->statuses[k].MPI_ERROR = STATUS_UNTOUCHED;
    e->owner[k] = owner;
    e->part[k] = part;
}

static void put_parts(struct spread *e, const struct own *own, int owner)
{
    for (int part = 0; own->active && part < own->operation.parts; part++)
        if (!is_null(own->parts[part]))
            put(e, own->parts[part], owner, part);
}

static void collapse(struct spread *e)
{
    free(e->statuses);
}

/* One block holds all of the arrays. */
static int spread(struct spread *e, const host_request *requests, int count)
{
    size_t room = (size_t)parts_of(requests, count) + 1;
    e->statuses = malloc(room * (sizeof *e->statuses + 2 * sizeof *e->requests + 3 * sizeof *e->owner));
    if (!e->statuses)
        return fail(HOST_MPI_ERR_NO_MEM);
    e->requests = (host_request *)(e->statuses + room);
    e->before = e->requests + room;
    e->owner = (int *)(e->before + room);
    e->part = e->owner + room;
    e->indices = e->part + room;
    e->count = 0;
    e->mark = retain_mark();
    for (int i = 0; i < count; i++) {
        const struct own *own = own_of(requests[i]);
        if (own)
            put_parts(e, own, i);
        else
            put(e, requests[i], i, 0);
    }
    return 0;
}

/* Takes over what a call did to request k, whose status is `status`. True for a request of the
 * host's; a part of ours is noted in the request it belongs to. */
static int absorb(const struct spread *e, int k, const host_status *status, host_request *requests)
{
    struct own *own = own_of(requests[e->owner[k]]);
    settle(e->before[k], e->requests[k], e->mark);
    if (!own) {
        requests[e->owner[k]] = e->requests[k];
        return 1;
    }
    own->parts[e->part[k]] = e->requests[k];
    if (is_null(e->requests[k]) && e->part[k] == own->operation.status_part)
        own->status = *status;
    if (status->MPI_ERROR != STATUS_UNTOUCHED && status->MPI_ERROR != HOST_MPI_ERR_PENDING && !own->error)
        own->error = status->MPI_ERROR;
    return 0;
}

/* After a call for all of them: what each request's status is. */
static void absorb_all(const struct spread *e, host_request *requests, int count, host_status *statuses)
{
    for (int i = 0; i < count && statuses != HOST_MPI_STATUSES_IGNORE; i++)
        empty_status(&statuses[i]);
    for (int k = 0; k < e->count; k++)
        if (absorb(e, k, &e->statuses[k], requests) && statuses != HOST_MPI_STATUSES_IGNORE)
            statuses[e->owner[k]] = e->statuses[k];
    for (int i = 0; i < count; i++)
        if (is_ready(own_of(requests[i])))
            report(&requests[i], statuses == HOST_MPI_STATUSES_IGNORE ? HOST_MPI_STATUS_IGNORE : &statuses[i]);
}

/* An array of the host's requests only: its own procedure, and what completed ones retained. */
#define PLAIN(requests, count, call)                                                               \
    do {                                                                                           \
        if (has_own(requests, count))                                                              \
            break;                                                                                 \
        host_request *kept = copy_of(requests, count);                                             \
        uint64_t plain_mark = retain_mark();                                                       \
        int plain_rc = host.call;                                                                  \
        settle_all(kept, requests, count, plain_mark);                                             \
        return plain_rc;                                                                           \
    } while (0)

static int has_own(const host_request *requests, int count)
{
    for (int i = 0; requests && i < count; i++)
        if (own_of(requests[i]))
            return 1;
    return 0;
}

static host_request *copy_of(const host_request *requests, int count)
{
    host_request *copy = requests && count > 0 ? malloc((size_t)count * sizeof *copy) : 0;
    if (copy)
        memcpy(copy, requests, (size_t)count * sizeof *copy);
    return copy;
}

static void settle_all(host_request *before, const host_request *after, int count, uint64_t mark)
{
    for (int i = 0; before && i < count; i++)
        settle(before[i], after[i], mark);
    free(before);
}

int own_waitall(int count, host_request *requests, host_status *statuses)
{
    struct spread e;
    PLAIN(requests, count, MPI_Waitall(count, requests, statuses));
    int rc = spread(&e, requests, count);
    if (rc != 0)
        return rc;
    rc = host.MPI_Waitall(e.count, e.requests, e.statuses);
    absorb_all(&e, requests, count, statuses);
    collapse(&e);
    return rc;
}

int own_testall(int count, host_request *requests, int *flag, host_status *statuses)
{
    struct spread e;
    PLAIN(requests, count, MPI_Testall(count, requests, flag, statuses));
    if (!flag)
        return fail(HOST_MPI_ERR_ARG);
    int rc = spread(&e, requests, count);
    if (rc != 0)
        return rc;
    rc = host.MPI_Testall(e.count, e.requests, flag, e.statuses);
    if (*flag || rc != 0)
        absorb_all(&e, requests, count, statuses);
    collapse(&e);
    return rc;
}

/* The error of a single operation, where the call for several says only that there is one. */
static int single(int rc, const host_status *status)
{
    int known = status->MPI_ERROR != STATUS_UNTOUCHED && status->MPI_ERROR != HOST_MPI_SUCCESS;
    return rc == HOST_MPI_ERR_IN_STATUS && known ? status->MPI_ERROR : rc;
}

int own_wait(host_request *request, host_status *status)
{
    host_status result;
    PLAIN(request, 1, MPI_Wait(request, status));
    int rc = single(own_waitall(1, request, &result), &result);
    if (status != HOST_MPI_STATUS_IGNORE)
        *status = result;
    return rc;
}

int own_test(host_request *request, int *flag, host_status *status)
{
    host_status result = { .MPI_ERROR = STATUS_UNTOUCHED };
    PLAIN(request, 1, MPI_Test(request, flag, status));
    if (!flag)
        return fail(HOST_MPI_ERR_ARG);
    int rc = single(own_testall(1, request, flag, &result), &result);
    if (*flag && status != HOST_MPI_STATUS_IGNORE)
        *status = result;
    return rc;
}

static int first_ready(const host_request *requests, int count)
{
    for (int i = 0; i < count; i++)
        if (is_ready(own_of(requests[i])))
            return i;
    return -1;
}

/* One call of the host's: true when the answer stands, false when only a part was completed. */
static int any_step(int wait, int count, host_request *requests, int *index, int *flag, host_status *status, int *rc)
{
    struct spread e;
    host_status result = { .MPI_SOURCE = STATUS_UNTOUCHED, .MPI_ERROR = STATUS_UNTOUCHED };
    int k = HOST_MPI_UNDEFINED, stands = 1;
    *flag = 1;
    *rc = spread(&e, requests, count);
    if (*rc != 0)
        return 1;
    *rc = wait ? host.MPI_Waitany(e.count, e.requests, &k, &result)
               : host.MPI_Testany(e.count, e.requests, &k, flag, &result);
    *index = HOST_MPI_UNDEFINED;
    if (k >= 0 && k < e.count && (*flag || *rc != 0)) {
        *index = e.owner[k];
        result.MPI_ERROR = *rc;
        stands = absorb(&e, k, &result, requests);
    }
    if (stands && *flag && status != HOST_MPI_STATUS_IGNORE)
        *status = result;
    collapse(&e);
    return stands;
}

static int any(int wait, int count, host_request *requests, int *index, int *flag, host_status *status)
{
    for (;;) {
        int rc, ready = first_ready(requests, count);
        if (ready >= 0) {
            *index = ready;
            *flag = 1;
            return report(&requests[ready], status);
        }
        if (any_step(wait, count, requests, index, flag, status, &rc))
            return rc;
    }
}

int own_waitany(int count, host_request *requests, int *index, host_status *status)
{
    int flag;
    PLAIN(requests, count, MPI_Waitany(count, requests, index, status));
    return index ? any(1, count, requests, index, &flag, status) : fail(HOST_MPI_ERR_ARG);
}

int own_testany(int count, host_request *requests, int *index, int *flag, host_status *status)
{
    PLAIN(requests, count, MPI_Testany(count, requests, index, flag, status));
    return index && flag ? any(0, count, requests, index, flag, status) : fail(HOST_MPI_ERR_ARG);
}

/* The results of a call that completes some. */
struct results {
    int done, failed;
    int *indices;
    host_status *statuses;
};

static host_status *next_status(struct results *results)
{
    return results->statuses == HOST_MPI_STATUSES_IGNORE ? HOST_MPI_STATUS_IGNORE : &results->statuses[results->done];
}

static void report_ready(struct results *results, host_request *requests, int count)
{
    for (int i = 0; i < count; i++) {
        if (!is_ready(own_of(requests[i])))
            continue;
        results->failed |= report(&requests[i], next_status(results)) != 0;
        results->indices[results->done++] = i;
    }
}

/* One call of the host's. `active` tells whether there was anything to complete. */
static int some_step(int wait, int count, host_request *requests, struct results *results, int *active)
{
    struct spread e;
    int completed = 0, rc = spread(&e, requests, count);
    if (rc != 0)
        return rc;
    rc = wait ? host.MPI_Waitsome(e.count, e.requests, &completed, e.indices, e.statuses)
              : host.MPI_Testsome(e.count, e.requests, &completed, e.indices, e.statuses);
    *active = completed != HOST_MPI_UNDEFINED;
    for (int j = 0; j < completed; j++) {
        int k = e.indices[j];
        if (!absorb(&e, k, &e.statuses[j], requests))
            continue;
        results->failed |= rc == HOST_MPI_ERR_IN_STATUS && e.statuses[j].MPI_ERROR != HOST_MPI_SUCCESS;
        if (results->statuses != HOST_MPI_STATUSES_IGNORE)
            *next_status(results) = e.statuses[j];
        results->indices[results->done++] = e.owner[k];
    }
    collapse(&e);
    return rc == HOST_MPI_ERR_IN_STATUS ? 0 : rc;
}

static int some(int wait, int count, host_request *requests, int *outcount, int *indices, host_status *statuses)
{
    struct results results = { 0, 0, indices, statuses };
    int active = 1, rc;
    if (!outcount || !indices)
        return fail(HOST_MPI_ERR_ARG);
    report_ready(&results, requests, count);
    do {
        rc = some_step(wait && results.done == 0, count, requests, &results, &active);
        if (rc == 0)
            report_ready(&results, requests, count);
    } while (rc == 0 && wait && active && results.done == 0);
    *outcount = active || results.done > 0 ? results.done : HOST_MPI_UNDEFINED;
    return rc == 0 && results.failed ? HOST_MPI_ERR_IN_STATUS : rc;
}

int own_waitsome(int count, host_request *requests, int *outcount, int *indices, host_status *statuses)
{
    PLAIN(requests, count, MPI_Waitsome(count, requests, outcount, indices, statuses));
    return some(1, count, requests, outcount, indices, statuses);
}

int own_testsome(int count, host_request *requests, int *outcount, int *indices, host_status *statuses)
{
    PLAIN(requests, count, MPI_Testsome(count, requests, outcount, indices, statuses));
    return some(0, count, requests, outcount, indices, statuses);
}

int own_start(host_request *request)
{
    struct own *own = request ? own_of(*request) : 0;
    if (!own)
        return host.MPI_Start(request);
    if (own->active || !own->persistent)
        return fail(HOST_MPI_ERR_REQUEST);
    return begin(own);
}

int own_startall(int count, host_request *requests)
{
    if (!has_own(requests, count))
        return host.MPI_Startall(count, requests);
    for (int i = 0; i < count; i++) {
        int rc = own_start(&requests[i]);
        if (rc != 0)
            return rc;
    }
    return 0;
}

int own_cancel(host_request *request)
{
    struct own *own = request ? own_of(*request) : 0;
    if (!own)
        return host.MPI_Cancel(request);
    if (!own->active || own->persistent)
        return fail(HOST_MPI_ERR_REQUEST);
    for (int i = 0; i < own->operation.parts; i++) {
        int rc = is_null(own->parts[i]) ? 0 : host.MPI_Cancel(&own->parts[i]);
        if (rc != 0)
            return rc;
    }
    return 0;
}

int own_free(host_request *request)
{
    struct own *own = request ? own_of(*request) : 0;
    if (!own) {
        host_request before = request ? *request : HOST_MPI_REQUEST_NULL;
        uint64_t mark = retain_mark();
        int rc = host.MPI_Request_free(request);
        if (request)
            settle(before, *request, mark);
        return rc;
    }
    withdraw(*request);
    *request = HOST_MPI_REQUEST_NULL;
    if (own->active) {
        pthread_mutex_lock(&lock);
        own->next = freed;
        freed = own;
        pthread_mutex_unlock(&lock);
    } else {
        destroy(own);
    }
    return 0;
}

int own_get_status(host_request request, int *flag, host_status *status)
{
    const struct own *own = own_of(request);
    if (!own)
        return host.MPI_Request_get_status(request, flag, status);
    if (!flag)
        return fail(HOST_MPI_ERR_ARG);
    if (!own->active)
        return host.MPI_Request_get_status(HOST_MPI_REQUEST_NULL, flag, status);
    host_status result = own->status;
    *flag = 1;
    for (int i = 0; i < own->operation.parts && *flag; i++) {
        host_status *wanted = i == own->operation.status_part ? &result : HOST_MPI_STATUS_IGNORE;
        int rc = is_null(own->parts[i]) ? 0 : host.MPI_Request_get_status(own->parts[i], flag, wanted);
        if (rc != 0)
            return rc;
    }
    if (*flag && status != HOST_MPI_STATUS_IGNORE)
        *status = result;
    return 0;
}

int own_is_inactive(host_request request)
{
    const struct own *own = own_of(request);
    return own ? !own->active : is_null(request);
}
