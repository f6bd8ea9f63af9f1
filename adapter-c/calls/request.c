/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion of requests, MPI-4.1 section 3.7. Requests are staged in a buffer of the host's
 * handles: the application's array is never lent to the host, because callbacks and other threads
 * may look at it meanwhile. */
#include "convert/adapter.h"
#include "keep/adapter_request.h"
#include "keep/retained_array.h"
#include "layers/built.h"

/* Requests on the stack up to this many, 768 bytes at most: a thread may have a stack of 16 KiB in all. */
#define LOCAL_REQUESTS (768 / (int)sizeof(host_request))

INLINE void decode_singly(host_request *staged, const app_request *requests, ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; i++)
        staged[i] = request_to_host(requests[i]);
}

/* Converts four at a time, which saves 165 to 230 instructions of an MPI_Waitany over 64 requests: 4 to 6 % of
 * a host's own. Converting back in fours would save less than 2 %. */
static __attribute__((noinline)) void decode_fours(host_request *staged, const app_request *requests, ptrdiff_t count)
{
    for (; count >= 4; count -= 4, staged += 4, requests += 4)
        if (!request_four_to_host(staged, requests))
            decode_singly(staged, requests, 4);
    decode_singly(staged, requests, count);
}

INLINE void decode_requests(host_request *staged, const app_request *requests, ptrdiff_t count)
{
    if (count < 4)
        decode_singly(staged, requests, count);
    else
        decode_fours(staged, requests, count);
}

INLINE void encode_requests(app_request *requests, const host_request *staged, ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; i++)
        requests[i] = request_at(&staged[i]);
}

/* Declares `staged`, the host's requests, of which there are staged_count, and staged_argument, which stands for them in the
 * host's call. */
#define STAGE_REQUESTS(staged, requests, count)                                                    \
    host_request staged##_room[LOCAL_REQUESTS], *staged = staged##_room;                           \
    const int staged##_count = likely((requests) != 0) ? (count) : 0;                              \
    if (unlikely(staged##_count > LOCAL_REQUESTS)) {                                               \
        staged = malloc((size_t)staged##_count * sizeof *staged);                                  \
        if (!staged)                                                                               \
            return raise_error(HOST_MPI_ERR_NO_MEM);                                               \
    }                                                                                              \
    decode_requests(staged, requests, staged##_count);                                             \
    host_request *staged##_argument = likely((requests) != 0) ? staged : 0

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

/* Converts back the requests that a call completed which returned `rc`; after an error, more may have changed. */
static inline void return_some(app_request *requests, host_request *staged, int count, const int *indices, int done, host_code rc)
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
_Static_assert(LOCAL_REQUESTS * sizeof(host_request) <= 768, "little of a small stack is used");

static inline void mark_untouched(host_status *room, int count)
{
    for (host_status *end = room + count; room < end; room++)
        status_prepare_all(room);
}

/* Room for the host's statuses, or its MPI_STATUSES_IGNORE if the application ignores them. `staged` is freed where
 * there is none. */
#define STATUSES_ROOM(room, statuses, count, staged)                                               \
    host_status room##_local[LOCAL_STATUSES], *room = HOST_MPI_STATUSES_IGNORE;                    \
    if (!IS_IGNORED(statuses)) {                                                                   \
        room = likely((count) <= LOCAL_STATUSES) ? room##_local : malloc((size_t)(count) * sizeof *room); \
        if (unlikely(!room)) {                                                                     \
            free_requests(staged, staged##_count);                                                 \
            return raise_error(HOST_MPI_ERR_NO_MEM);                                               \
        }                                                                                          \
        mark_untouched(room, count);                                                               \
    }

static __attribute__((noinline)) void encode_failed(app_status *status, const host_status *room, host_code rc)
{
    status_completed(status, room, rc == 0);
    if (room->MPI_ERROR != STATUS_UNTOUCHED)
        status->MPI_ERROR = code_to_app(room->MPI_ERROR);
}

/* MPI_ERROR included, of a call that returned `rc`. */
INLINE void encode_statuses(app_status *statuses, const host_status *room, int count, host_code rc)
{
    for (int i = 0; i < count; i++) {
        if (likely(room[i].MPI_ERROR == 0)) {
            status_completed(&statuses[i], &room[i], 1);
            statuses[i].MPI_ERROR = 0;
        } else {
            encode_failed(&statuses[i], &room[i], rc);
        }
    }
}

/* Converts the first `filled` of `count` statuses and frees the room. */
static void return_statuses(app_status *statuses, host_status *room, int filled, int count, host_code rc)
{
    if (IS_IGNORED(statuses))
        return;
    encode_statuses(statuses, room, filled, rc);
    if (unlikely(count > LOCAL_STATUSES))
        free(room);
}

static inline void return_status(app_status *status, const host_status *room, int is_complete)
{
    if (!IS_IGNORED(status))
        status_completed(status, room, is_complete);
}

static inline int result(host_code rc)
{
    return likely(rc == 0) ? 0 : error_to_app(rc);
}

PROCEDURE(app_code, MPI_Wait, app_request *request, app_status *status)
{
    STATUS_ROOM(room, status);
    host_request staged = request ? request_to_host(*request) : HOST_MPI_REQUEST_NULL;
    host_code rc = COMPLETE(adapter_wait(request ? &staged : 0, room_argument),
                            MPI_Wait(request ? &staged : 0, room_argument));
    if (likely(request != 0))
        *request = request_at(&staged);
    return_status(status, &room, rc == 0);
    return result(rc);
}

PROCEDURE(app_code, MPI_Test, app_request *request, int *flag, app_status *status)
{
    STATUS_ROOM(room, status);
    host_request staged = request ? request_to_host(*request) : HOST_MPI_REQUEST_NULL;
    host_code rc = COMPLETE(adapter_test(request ? &staged : 0, flag, room_argument),
                            MPI_Test(request ? &staged : 0, flag, room_argument));
    /* While the operation is pending nothing changes. */
    if (rc == 0 && !*flag)
        return 0;
    if (likely(request != 0))
        *request = request_at(&staged);
    return_status(status, &room, rc == 0);
    return result(rc);
}

/* Defines NAME_few(count, requests), which makes `call` for one to FEW_REQUESTS requests whose statuses are ignored. Its loops are
 * unrolled: that saves some 25 instructions of an MPI_Waitall, 6 to 16 % of a host's own. */
#define FEW_REQUESTS 3
#define CALL_FEW(name, call)                                                                       \
    INLINE int name##_exactly(const int count, app_request *requests)                              \
    {                                                                                              \
        host_request staged[FEW_REQUESTS];                                                         \
        _Pragma("GCC unroll 3")                                                                    \
        for (int i = 0; i < count; i++)                                                            \
            staged[i] = request_to_host(requests[i]);                                              \
        host_code rc = call(count, staged);                                                              \
        _Pragma("GCC unroll 3")                                                                    \
        for (int i = 0; i < count; i++)                                                            \
            requests[i] = request_at(&staged[i]);                                                  \
        return result(rc);                                                                         \
    }                                                                                              \
    static __attribute__((noinline)) int name##_few(int count, app_request *requests)              \
    {                                                                                              \
        switch (count) {                                                                           \
        case 1:                                                                                    \
            return name##_exactly(1, requests);                                                    \
        case 2:                                                                                    \
            return name##_exactly(2, requests);                                                    \
        default:                                                                                   \
            return name##_exactly(FEW_REQUESTS, requests);                                         \
        }                                                                                          \
    }

#define WAIT_ALL(count, staged) \
    COMPLETE(adapter_waitall(count, staged, HOST_MPI_STATUSES_IGNORE), \
             MPI_Waitall(count, staged, HOST_MPI_STATUSES_IGNORE))
CALL_FEW(wait_all, WAIT_ALL)

/* All is on the stack, for LOCAL_STATUSES requests at most, and nothing is asked of the heap: that saves 50 to 60 instructions of a
 * call with statuses, 9 to 22 % of a host's own for two requests. */
static __attribute__((noinline)) int wait_all_local(int count, app_request *requests, app_status *statuses)
{
    host_request staged[LOCAL_STATUSES];
    host_status room_local[LOCAL_STATUSES], *room = HOST_MPI_STATUSES_IGNORE;
    decode_requests(staged, requests, count);
    if (!IS_IGNORED(statuses))
        mark_untouched(room = room_local, count);
    host_code rc = COMPLETE(adapter_waitall(count, staged, room), MPI_Waitall(count, staged, room));
    encode_requests(requests, staged, count);
    if (!IS_IGNORED(statuses))
        encode_statuses(statuses, room_local, count, rc);
    return result(rc);
}

static __attribute__((noinline)) int wait_all(int count, app_request *requests, app_status *statuses)
{
    STAGE_REQUESTS(staged, requests, count);
    STATUSES_ROOM(room, statuses, count, staged);
    host_code rc = COMPLETE(adapter_waitall(count, staged_argument, room), MPI_Waitall(count, staged_argument, room));
    return_requests(requests, staged, staged_count);
    return_statuses(statuses, room, count, count, rc);
    return result(rc);
}

PROCEDURE(app_code, MPI_Waitall, int count, app_request *requests, app_status *statuses)
{
    if (unlikely(!requests))
        return wait_all(count, requests, statuses);
    if (IS_IGNORED(statuses) && (unsigned)count - 1 < FEW_REQUESTS)
        return wait_all_few(count, requests);
    if ((unsigned)count - 1 < LOCAL_STATUSES)
        return wait_all_local(count, requests, statuses);
    return wait_all(count, requests, statuses);
}

PROCEDURE(app_code, MPI_Testall, int count, app_request *requests, int *flag, app_status *statuses)
{
    STAGE_REQUESTS(staged, requests, count);
    STATUSES_ROOM(room, statuses, count, staged);
    int done = 0;
    host_code rc = COMPLETE(adapter_testall(count, staged_argument, flag ? &done : 0, room),
                            MPI_Testall(count, staged_argument, flag ? &done : 0, room));
    /* While operations are pending no request changes, and statuses are undefined (MPI-4.1 section 3.7.5). */
    int changed = done || rc != 0 ? count : 0;
    if (changed)
        encode_requests(requests, staged, staged_count);
    free_requests(staged, staged_count);
    return_statuses(statuses, room, changed, count, rc);
    if (flag)
        *flag = done;
    return result(rc);
}

PROCEDURE(app_code, MPI_Waitany, int count, app_request *requests, int *index, app_status *status)
{
    STAGE_REQUESTS(staged, requests, count);
    STATUS_ROOM(room, status);
    int which = -1;
    host_code rc = COMPLETE(adapter_waitany(count, staged_argument, index ? &which : 0, room_argument),
                            MPI_Waitany(count, staged_argument, index ? &which : 0, room_argument));
    return_any(requests, staged, staged_count, which);
    return_status(status, &room, rc == 0);
    if (index && (rc == 0 || which >= 0))
        *index = index_to_app(which);
    return result(rc);
}

PROCEDURE(app_code, MPI_Testany, int count, app_request *requests, int *index, int *flag, app_status *status)
{
    STAGE_REQUESTS(staged, requests, count);
    STATUS_ROOM(room, status);
    int which = -1;
    host_code rc = COMPLETE(adapter_testany(count, staged_argument, index ? &which : 0, flag, room_argument),
                            MPI_Testany(count, staged_argument, index ? &which : 0, flag, room_argument));
    return_any(requests, staged, staged_count, which);
    /* MPICH leaves the empty status out if one of the requests is persistent. */
    if (unlikely(which == HOST_MPI_UNDEFINED) && rc == 0 && flag && *flag && !IS_IGNORED(status) &&
        room.MPI_SOURCE == STATUS_UNTOUCHED)
        adapter_empty_status(&room);
    return_status(status, &room, rc == 0 && *flag);
    if (index && (rc == 0 || which >= 0))
        *index = index_to_app(which);
    return result(rc);
}

typedef int some_function(int, host_request *, int *, int *, host_status *);

/* Converting requests may make some special: which procedure is called is decided after that. */
INLINE int complete_some(some_function *own, some_function *const *theirs, int count, app_request *requests, int *outcount, int *indices,
                app_status *statuses)
{
    STAGE_REQUESTS(staged, requests, count);
    STATUSES_ROOM(room, statuses, count, staged);
    int done = 0;
    host_code rc = (has_special_requests() ? own : *theirs)(count, staged_argument, outcount ? &done : 0, indices, room);
    return_some(requests, staged, staged_count, indices, done, rc);
    return_statuses(statuses, room, done > 0 ? done : 0, count, rc);
    if (outcount)
        *outcount = index_to_app(done);
    return result(rc);
}

PROCEDURE(app_code, MPI_Waitsome, int count, app_request *requests, int *outcount, int *indices, app_status *statuses)
{
    return complete_some(adapter_waitsome, &host.MPI_Waitsome, count, requests, outcount, indices, statuses);
}

PROCEDURE(app_code, MPI_Testsome, int count, app_request *requests, int *outcount, int *indices, app_status *statuses)
{
    return complete_some(adapter_testsome, &host.MPI_Testsome, count, requests, outcount, indices, statuses);
}

#define START_ALL(count, staged) COMPLETE(adapter_startall(count, staged), MPI_Startall(count, staged))
CALL_FEW(start_all, START_ALL)

static __attribute__((noinline)) int start_all(int count, app_request *requests)
{
    STAGE_REQUESTS(staged, requests, count);
    host_code rc = COMPLETE(adapter_startall(count, staged_argument), MPI_Startall(count, staged_argument));
    return_requests(requests, staged, staged_count);
    return result(rc);
}

PROCEDURE(app_code, MPI_Startall, int count, app_request *requests)
{
    if (likely(requests != 0) && (unsigned)count - 1 < FEW_REQUESTS)
        return start_all_few(count, requests);
    return start_all(count, requests);
}

PROCEDURE(app_code, MPI_Start, app_request *request)
{
    host_request staged = request ? request_to_host(*request) : HOST_MPI_REQUEST_NULL;
    host_code rc = COMPLETE(adapter_start(request ? &staged : 0), MPI_Start(request ? &staged : 0));
    if (likely(request != 0))
        *request = request_at(&staged);
    return result(rc);
}

PROCEDURE(app_code, MPI_Cancel, app_request *request)
{
    host_request staged = request ? request_to_host(*request) : HOST_MPI_REQUEST_NULL;
    host_code rc = COMPLETE(adapter_cancel(request ? &staged : 0), MPI_Cancel(request ? &staged : 0));
    return result(rc);
}

PROCEDURE(app_code, MPI_Request_free, app_request *request)
{
    host_request staged = request ? request_to_host(*request) : HOST_MPI_REQUEST_NULL;
    host_code rc = COMPLETE(adapter_free(request ? &staged : 0), MPI_Request_free(request ? &staged : 0));
    if (request)
        *request = request_at(&staged);
    return result(rc);
}

PROCEDURE(app_code, MPI_Request_get_status, app_request request, int *flag, app_status *status)
{
    STATUS_ROOM(room, status);
    host_request staged = request_to_host(request);
    host_code rc = COMPLETE(adapter_get_status(staged, flag, room_argument),
                            MPI_Request_get_status(staged, flag, room_argument));
    return_status(status, &room, rc == 0 && *flag);
    return result(rc);
}

/* A procedure that returns a truth. Natively an error is one, too: of a request that failed, and is complete. */
PROCEDURE(int, MPIX_Request_is_complete, app_request request)
{
    int flag = 0, rc = direct_MPI_Request_get_status(request, &flag, APP_MPI_STATUS_IGNORE);
    return rc != 0 || flag;
}

PROCEDURE(app_code, MPI_Request_get_status_all, int count, const app_request requests[], int *flag, app_status *statuses)
{
    if (!flag || (!requests && count > 0))
        return raise_error(HOST_MPI_ERR_ARG);
    STAGE_REQUESTS(staged, requests, count);
    STATUSES_ROOM(room, statuses, count, staged);
    int done = 0;
    host_code rc = COMPLETE(built_MPI_Request_get_status_all(count, staged_argument, &done, room),
                      MPI_Request_get_status_all(count, staged_argument, &done, room));
    return_statuses(statuses, room, done || rc != 0 ? count : 0, count, rc);
    free_requests(staged, staged_count);
    *flag = done;
    return result(rc);
}

PROCEDURE(app_code, MPI_Request_get_status_any, int count, const app_request requests[], int *index, int *flag,
          app_status *status)
{
    if (!index || !flag || (!requests && count > 0))
        return raise_error(HOST_MPI_ERR_ARG);
    STAGE_REQUESTS(staged, requests, count);
    STATUS_ROOM(room, status);
    int which = -1;
    host_code rc = COMPLETE(built_MPI_Request_get_status_any(count, staged_argument, &which, flag, room_argument),
                      MPI_Request_get_status_any(count, staged_argument, &which, flag, room_argument));
    return_status(status, &room, rc == 0 && *flag);
    free_requests(staged, staged_count);
    if (rc == 0 || which >= 0)
        *index = index_to_app(which);
    return result(rc);
}

PROCEDURE(app_code, MPI_Request_get_status_some, int count, const app_request requests[], int *outcount, int *indices,
          app_status *statuses)
{
    if (!outcount || !indices || (!requests && count > 0))
        return raise_error(HOST_MPI_ERR_ARG);
    STAGE_REQUESTS(staged, requests, count);
    STATUSES_ROOM(room, statuses, count, staged);
    int done = 0;
    host_code rc = COMPLETE(built_MPI_Request_get_status_some(count, staged_argument, &done, indices, room),
                      MPI_Request_get_status_some(count, staged_argument, &done, indices, room));
    return_statuses(statuses, room, done > 0 ? done : 0, count, rc);
    free_requests(staged, staged_count);
    *outcount = index_to_app(done);
    return result(rc);
}
