/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion of requests, MPI-4.1 section 3.7. Requests are staged in a buffer of the host's
 * handles: the application's array is never lent to the host, because callbacks and other threads
 * may look at it meanwhile. */
#include "convert/adapter.h"
#include "keep/own_request.h"
#include "keep/retained_array.h"
#include "built.h"

/* Requests on the stack up to this many, 1 KiB at most: a thread may have a stack of 16 KiB in all. */
#define LOCAL_REQUESTS 128
/* Up to this many in MPI_Waitall's hot path, whose buffer's size is known beforehand. */
#define FEW_REQUESTS 64

static inline host_request *requests_room(int count)
{
    return malloc(count > 0 ? (size_t)count * sizeof(host_request) : 1);
}

/* Requests are converted four at a time. From those four on that are not alike another function goes on, which
 * leaves the loops nothing to save. */
static __attribute__((noinline)) void decode_mixed(host_request *staged, const app_request *requests, const app_request *end)
{
    const struct request_four four = request_four();
    for (; requests < end; staged += 4, requests += 4)
        if (!request_four_to_host(four, staged, requests))
            for (int i = 0; i < 4; i++)
                staged[i] = request_to_host(requests[i]);
}

static __attribute__((noinline)) void decode_fours(host_request *staged, const app_request *requests, size_t count)
{
    const struct request_four four = request_four();
    const app_request *end = requests + count;
    do {
        if (unlikely(!request_four_to_host(four, staged, requests))) {
            decode_mixed(staged, requests, end);
            return;
        }
        staged += 4;
        requests += 4;
    } while (requests < end);
}

INLINE void decode_requests(host_request *staged, const app_request *requests, int count)
{
    int fours = count > 0 ? count & ~3 : 0;
    if (fours)
        decode_fours(staged, requests, (size_t)fours);
    for (int i = fours; i < count; i++)
        staged[i] = request_to_host(requests[i]);
}

/* Staged requests are declared by this macro, for alloca() belongs to the function that uses them. */
#define STAGE_REQUESTS(staged, requests, count)                                                    \
    host_request *staged = unlikely((count) > LOCAL_REQUESTS)                                      \
                               ? requests_room(count)                                              \
                               : __builtin_alloca(((count) > 0 ? (size_t)(count) : 1) * sizeof *staged); \
    if (unlikely(staged == 0))                                                                     \
        return raise_error(HOST_MPI_ERR_NO_MEM);                                                   \
    decode_requests(staged, requests, count);                                                      \
    host_request *staged##_argument = likely((requests) != 0) ? staged : 0

static __attribute__((noinline)) void encode_mixed(app_request *requests, const host_request *staged, const app_request *end)
{
    const struct request_four four = request_four();
    for (; requests < end; staged += 4, requests += 4)
        if (!request_four_to_app(four, requests, staged))
            for (int i = 0; i < 4; i++)
                requests[i] = request_at(&staged[i]);
}

static __attribute__((noinline)) void encode_fours(app_request *requests, const host_request *staged, size_t count)
{
    const struct request_four four = request_four();
    const app_request *end = requests + count;
    do {
        if (unlikely(!request_four_to_app(four, requests, staged))) {
            encode_mixed(requests, staged, end);
            return;
        }
        staged += 4;
        requests += 4;
    } while (requests < end);
}

INLINE void encode_requests(app_request *requests, const host_request *staged, int count)
{
    int fours = count > 0 ? count & ~3 : 0;
    if (fours)
        encode_fours(requests, staged, (size_t)fours);
    for (int i = fours; i < count; i++)
        requests[i] = request_at(&staged[i]);
}

static inline void free_requests(host_request *staged, int count)
{
    if (unlikely(count > LOCAL_REQUESTS))
        free(staged);
}

/* Writes staged requests back. */
static inline void return_requests(app_request *requests, host_request *staged, int count)
{
    encode_requests(requests, staged, count);
    free_requests(staged, count);
}

/* The host's procedure, or its counterpart while there are requests that need more. Both are
 * called by name: through a pointer the host's would not be called from memory. */
#define COMPLETE(own, theirs) (has_special_requests() ? own : host.theirs)

/* The entry of index `index`, which may be the host's MPI_UNDEFINED. */
static inline void return_any(app_request *requests, host_request *staged, int count, int index)
{
    if (index >= 0 && index < count)
        requests[index] = request_at(&staged[index]);
    free_requests(staged, count);
}

/* Those that a call completed which returned `rc`; after an error, more may have changed. */
static inline void return_some(app_request *requests, host_request *staged, int count, const int *indices, int done, int rc)
{
    if (unlikely(rc != 0)) {
        return_requests(requests, staged, count);
        return;
    }
    for (int i = 0; i < done; i++)
        requests[indices[i]] = request_at(&staged[indices[i]]);
    free_requests(staged, count);
}

/* Statuses on the stack up to this many, 1.5 KiB at most. */
#define LOCAL_STATUSES (1536 / (int)sizeof(host_status))
_Static_assert(LOCAL_REQUESTS * sizeof(host_request) <= 1024, "little of a small stack is used");

static void mark_untouched(host_status *room, int count)
{
    for (int i = 0; room && i < count; i++) {
        status_prepare(&room[i]);
        room[i].MPI_ERROR = STATUS_UNTOUCHED;
    }
}

/* Room for the host's statuses, or its MPI_STATUSES_IGNORE if the application ignores them. A macro,
 * for alloca() belongs to the function that uses the room; `staged` is freed where there is none. */
#define STATUSES_ROOM(room, statuses, count, staged)                                               \
    host_status *room = HOST_MPI_STATUSES_IGNORE;                                                  \
    if (!IS_IGNORED(statuses)) {                                                   \
        size_t room##_bytes = ((count) > 0 ? (size_t)(count) : 1) * sizeof *room;                  \
        room = (count) <= LOCAL_STATUSES ? __builtin_alloca(room##_bytes) : malloc(room##_bytes);  \
        mark_untouched(room, count);                                                               \
        if (!room) {                                                                               \
            free_requests(staged, requests ? (count) : 0);                                         \
            return raise_error(HOST_MPI_ERR_NO_MEM);                                               \
        }                                                                                          \
    }

/* Converts the first `filled` of `count` statuses, MPI_ERROR included, and frees the room. */
static void return_statuses(app_status *statuses, host_status *room, int filled, int count)
{
    if (IS_IGNORED(statuses))
        return;
    for (int i = 0; i < filled; i++) {
        status_returned(&statuses[i], &room[i]);
        if (unlikely(room[i].MPI_ERROR != STATUS_UNTOUCHED))
            statuses[i].MPI_ERROR = room[i].MPI_ERROR == 0 ? 0 : error_to_app(room[i].MPI_ERROR);
    }
    if (count > LOCAL_STATUSES)
        free(room);
}

#define STATUS_ROOM(name, status)                                                                  \
    host_status name;                                                                              \
    status_prepare(&name);                                                                         \
    host_status *name##_argument = IS_IGNORED(status) ? HOST_MPI_STATUS_IGNORE : &name

static inline void return_status(app_status *status, const host_status *room)
{
    if (!IS_IGNORED(status))
        status_returned(status, room);
}

static inline int result(int rc)
{
    return likely(rc == 0) ? 0 : error_to_app(rc);
}

PROCEDURE(int, MPI_Wait, app_request *request, app_status *status)
{
    STATUS_ROOM(room, status);
    host_request staged = request ? request_to_host(*request) : HOST_MPI_REQUEST_NULL;
    int rc = COMPLETE(own_wait(request ? &staged : 0, room_argument), MPI_Wait(request ? &staged : 0, room_argument));
    if (likely(request != 0))
        *request = request_at(&staged);
    return_status(status, &room);
    return result(rc);
}

PROCEDURE(int, MPI_Test, app_request *request, int *flag, app_status *status)
{
    STATUS_ROOM(room, status);
    host_request staged = request ? request_to_host(*request) : HOST_MPI_REQUEST_NULL;
    int rc = COMPLETE(own_test(request ? &staged : 0, flag, room_argument),
                      MPI_Test(request ? &staged : 0, flag, room_argument));
    /* While the operation is pending nothing changes. */
    if (rc == 0 && !*flag)
        return 0;
    if (likely(request != 0))
        *request = request_at(&staged);
    return_status(status, &room);
    return result(rc);
}

/* MPI_Waitall in general; without statuses it stays free of their cost. */
static __attribute__((noinline)) int wait_all(int count, app_request *requests, app_status *statuses)
{
    STAGE_REQUESTS(staged, requests, requests ? count : 0);
    STATUSES_ROOM(room, statuses, count, staged);
    int rc = COMPLETE(own_waitall(count, staged_argument, room), MPI_Waitall(count, staged_argument, room));
    return_requests(requests, staged, requests ? count : 0);
    return_statuses(statuses, room, count, count);
    return result(rc);
}

PROCEDURE(int, MPI_Waitall, int count, app_request *requests, app_status *statuses)
{
    if (unlikely(!IS_IGNORED(statuses)) || unlikely(!requests) ||
        unlikely((unsigned)count - 1 >= FEW_REQUESTS))
        return wait_all(count, requests, statuses);
    host_request staged[FEW_REQUESTS];
    decode_requests(staged, requests, count);
    int rc = COMPLETE(own_waitall(count, staged, HOST_MPI_STATUSES_IGNORE),
                      MPI_Waitall(count, staged, HOST_MPI_STATUSES_IGNORE));
    encode_requests(requests, staged, count);
    return result(rc);
}

PROCEDURE(int, MPI_Testall, int count, app_request *requests, int *flag, app_status *statuses)
{
    STAGE_REQUESTS(staged, requests, requests ? count : 0);
    STATUSES_ROOM(room, statuses, count, staged);
    int done = 0;
    int rc = COMPLETE(own_testall(count, staged_argument, flag ? &done : 0, room),
                      MPI_Testall(count, staged_argument, flag ? &done : 0, room));
    /* While operations are pending no request changes, and statuses are undefined (MPI-4.1 section 3.7.5). */
    int changed = done || rc != 0 ? count : 0;
    encode_requests(requests, staged, requests ? changed : 0);
    free_requests(staged, requests ? count : 0);
    return_statuses(statuses, room, changed, count);
    if (flag)
        *flag = done;
    return result(rc);
}

PROCEDURE(int, MPI_Waitany, int count, app_request *requests, int *index, app_status *status)
{
    STAGE_REQUESTS(staged, requests, requests ? count : 0);
    STATUS_ROOM(room, status);
    int which = -1;
    int rc = COMPLETE(own_waitany(count, staged_argument, index ? &which : 0, room_argument),
                      MPI_Waitany(count, staged_argument, index ? &which : 0, room_argument));
    return_any(requests, staged, requests ? count : 0, which);
    return_status(status, &room);
    if (index && (rc == 0 || which >= 0))
        *index = index_to_app(which);
    return result(rc);
}

PROCEDURE(int, MPI_Testany, int count, app_request *requests, int *index, int *flag, app_status *status)
{
    STAGE_REQUESTS(staged, requests, requests ? count : 0);
    STATUS_ROOM(room, status);
    int which = -1;
    int rc = COMPLETE(own_testany(count, staged_argument, index ? &which : 0, flag, room_argument),
                      MPI_Testany(count, staged_argument, index ? &which : 0, flag, room_argument));
    return_any(requests, staged, requests ? count : 0, which);
    /* MPICH leaves the empty status out if one of the requests is persistent. */
    if (unlikely(which == HOST_MPI_UNDEFINED) && rc == 0 && flag && *flag && room.MPI_SOURCE == STATUS_UNTOUCHED)
        own_empty_status(&room);
    return_status(status, &room);
    if (index && (rc == 0 || which >= 0))
        *index = index_to_app(which);
    return result(rc);
}

typedef int some_function(int, host_request *, int *, int *, host_status *);

static int some(some_function *call, int count, app_request *requests, int *outcount, int *indices,
                app_status *statuses)
{
    STAGE_REQUESTS(staged, requests, requests ? count : 0);
    STATUSES_ROOM(room, statuses, count, staged);
    int done = 0, rc = call(count, staged_argument, outcount ? &done : 0, indices, room);
    return_some(requests, staged, requests ? count : 0, indices, done, rc);
    return_statuses(statuses, room, done > 0 ? done : 0, count);
    if (outcount)
        *outcount = index_to_app(done);
    return result(rc);
}

PROCEDURE(int, MPI_Waitsome, int count, app_request *requests, int *outcount, int *indices, app_status *statuses)
{
    return some(has_special_requests() ? own_waitsome : host.MPI_Waitsome, count, requests, outcount, indices,
                statuses);
}

PROCEDURE(int, MPI_Testsome, int count, app_request *requests, int *outcount, int *indices, app_status *statuses)
{
    return some(has_special_requests() ? own_testsome : host.MPI_Testsome, count, requests, outcount, indices,
                statuses);
}

PROCEDURE(int, MPI_Startall, int count, app_request *requests)
{
    STAGE_REQUESTS(staged, requests, requests ? count : 0);
    int rc = COMPLETE(own_startall(count, staged_argument), MPI_Startall(count, staged_argument));
    return_requests(requests, staged, requests ? count : 0);
    return result(rc);
}

PROCEDURE(int, MPI_Start, app_request *request)
{
    host_request staged = request ? request_to_host(*request) : HOST_MPI_REQUEST_NULL;
    int rc = COMPLETE(own_start(request ? &staged : 0), MPI_Start(request ? &staged : 0));
    if (likely(request != 0))
        *request = request_at(&staged);
    return result(rc);
}

PROCEDURE(int, MPI_Cancel, app_request *request)
{
    host_request staged = request ? request_to_host(*request) : HOST_MPI_REQUEST_NULL;
    int rc = COMPLETE(own_cancel(request ? &staged : 0), MPI_Cancel(request ? &staged : 0));
    return result(rc);
}

PROCEDURE(int, MPI_Request_free, app_request *request)
{
    host_request staged = request ? request_to_host(*request) : HOST_MPI_REQUEST_NULL;
    int rc = COMPLETE(own_free(request ? &staged : 0), MPI_Request_free(request ? &staged : 0));
    if (request)
        *request = request_at(&staged);
    return result(rc);
}

PROCEDURE(int, MPI_Request_get_status, app_request request, int *flag, app_status *status)
{
    STATUS_ROOM(room, status);
    host_request staged = request_to_host(request);
    int rc = COMPLETE(own_get_status(staged, flag, room_argument),
                      MPI_Request_get_status(staged, flag, room_argument));
    return_status(status, &room);
    return result(rc);
}

PROCEDURE(int, MPI_Request_get_status_all, int count, const app_request requests[], int *flag, app_status *statuses)
{
    if (!flag || (!requests && count > 0))
        return raise_error(HOST_MPI_ERR_ARG);
    STAGE_REQUESTS(staged, requests, requests ? count : 0);
    STATUSES_ROOM(room, statuses, count, staged);
    int done = 0;
    int rc = COMPLETE(built_MPI_Request_get_status_all(count, staged_argument, &done, room),
                      MPI_Request_get_status_all(count, staged_argument, &done, room));
    return_statuses(statuses, room, done || rc != 0 ? count : 0, count);
    free_requests(staged, requests ? count : 0);
    *flag = done;
    return result(rc);
}

PROCEDURE(int, MPI_Request_get_status_any, int count, const app_request requests[], int *index, int *flag,
          app_status *status)
{
    if (!index || !flag || (!requests && count > 0))
        return raise_error(HOST_MPI_ERR_ARG);
    STAGE_REQUESTS(staged, requests, requests ? count : 0);
    STATUS_ROOM(room, status);
    int which = -1;
    int rc = COMPLETE(built_MPI_Request_get_status_any(count, staged_argument, &which, flag, room_argument),
                      MPI_Request_get_status_any(count, staged_argument, &which, flag, room_argument));
    return_status(status, &room);
    free_requests(staged, requests ? count : 0);
    if (rc == 0 || which >= 0)
        *index = index_to_app(which);
    return result(rc);
}

PROCEDURE(int, MPI_Request_get_status_some, int count, const app_request requests[], int *outcount, int *indices,
          app_status *statuses)
{
    if (!outcount || !indices || (!requests && count > 0))
        return raise_error(HOST_MPI_ERR_ARG);
    STAGE_REQUESTS(staged, requests, requests ? count : 0);
    STATUSES_ROOM(room, statuses, count, staged);
    int done = 0;
    int rc = COMPLETE(built_MPI_Request_get_status_some(count, staged_argument, &done, indices, room),
                      MPI_Request_get_status_some(count, staged_argument, &done, indices, room));
    return_statuses(statuses, room, done > 0 ? done : 0, count);
    free_requests(staged, requests ? count : 0);
    *outcount = index_to_app(done);
    return result(rc);
}
