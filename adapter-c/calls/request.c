/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion of requests, MPI-4.1 section 3.7. Requests are staged in a buffer of the host's
 * handles: the application's array is never lent to the host, because callbacks and other threads
 * may look at it meanwhile. */
#include "convert/adapter.h"
#include "convert/host_answer.h"
#include "requests/adapter_request.h"
#include "requests/retained_array.h"
#include "layers/built.h"

/* Room on the stack, 768 and 1536 bytes: a thread may have a stack of 16 KiB in all. */
#define LOCAL_REQUESTS (768 / (int)sizeof(host_request))
#define LOCAL_STATUSES (1536 / (int)sizeof(host_status))

/* A call's arrays as the host gets them, in `room` or on the heap: requests, null without an array, and statuses, which may be
 * HOST_MPI_STATUSES_IGNORE. */
struct staged {
    int count;
    host_request *requests;
    host_status *statuses;
};

struct room {
    host_request requests[LOCAL_REQUESTS];
    host_status statuses[LOCAL_STATUSES];
};

/* Converts requests, four at a time while these are dynamic: with one test for four, 64 requests of an MPI_Waitany take
 * half the instructions. */
INLINE void decode_requests(host_request *staged, const app_request *requests, int count)
{
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        const app_request *from = requests + i;
        if (!requests_are_dynamic(from))
            break;
#pragma GCC unroll 4
        for (int j = 0; j < 4; j++)
            staged[i + j] = dynamic_request_to_host(from[j]);
    }
    for (; i < count; i++)
        staged[i] = request_to_host(requests[i]);
}

/* Frees what is not in the room. */
INLINE void free_staged(const struct staged *staged, struct room *room)
{
    if (unlikely(staged->count > LOCAL_REQUESTS || staged->count > LOCAL_STATUSES)) {
        if (staged->requests != room->requests)
            free(staged->requests);
        if (staged->statuses != room->statuses && staged->statuses != HOST_MPI_STATUSES_IGNORE)
            free(staged->statuses);
    }
}

/* Converts a call's requests, and prepares its statuses. Returns 0 if memory runs out. */
INLINE int stage(struct staged *staged, struct room *room, int count, const app_request *requests, const app_status *statuses)
{
    *staged = (struct staged){ count, 0, HOST_MPI_STATUSES_IGNORE };
    if (likely(requests != 0)) {
        staged->requests = likely(count <= LOCAL_REQUESTS) ? room->requests : malloc((size_t)count * sizeof *staged->requests);
        if (unlikely(!staged->requests))
            return 0;
        decode_requests(staged->requests, requests, count);
    }
    if (!IS_IGNORED(statuses)) {
        staged->statuses = likely(count <= LOCAL_STATUSES) ? room->statuses : malloc((size_t)count * sizeof *staged->statuses);
        if (unlikely(!staged->statuses)) {
            staged->statuses = HOST_MPI_STATUSES_IGNORE;
            free_staged(staged, room);
            return 0;
        }
        for (int i = 0; i < count; i++)
            status_prepare_all(&staged->statuses[i]);
    }
    return 1;
}

/* Converts all requests back. */
INLINE void return_requests(app_request *requests, const struct staged *staged)
{
    for (int i = 0; requests && i < staged->count; i++)
        requests[i] = request_at(&staged->requests[i]);
}

/* The host's procedure, or its counterpart while there are requests that need more. Both are
 * called by name: through a pointer the host's would not be called from memory. */
#define COMPLETE(own, theirs) (has_special_requests() ? own : host.theirs)

/* Converts the request of index `which`, which may be the host's MPI_UNDEFINED. */
INLINE void return_any(app_request *requests, const struct staged *staged, int which)
{
    if (which >= 0 && which < staged->count)
        requests[which] = request_at(&staged->requests[which]);
}

/* Converts the requests that a call completed which returned `rc`; after an error, more may have changed. */
INLINE void return_some(app_request *requests, const struct staged *staged, const int *indices, int done, host_code rc)
{
    if (unlikely(rc != 0))
        return_requests(requests, staged);
    else
        for (int i = 0; i < done; i++)
            requests[indices[i]] = request_at(&staged->requests[indices[i]]);
}

static __attribute__((noinline)) void encode_failed(app_status *status, const host_status *room, host_code rc)
{
    status_completed(status, room, rc == 0);
    if (room->MPI_ERROR != STATUS_UNTOUCHED)
        status->MPI_ERROR = code_to_app(room->MPI_ERROR);
}

/* Converts the first `filled` statuses, MPI_ERROR included, of a call that returned `rc`. */
INLINE void return_statuses(app_status *statuses, const struct staged *staged, int filled, host_code rc)
{
    const host_status *room = staged->statuses;
    for (int i = 0; !IS_IGNORED(statuses) && i < filled; i++) {
        if (likely(room[i].MPI_ERROR == 0)) {
            status_completed(&statuses[i], &room[i], 1);
            statuses[i].MPI_ERROR = 0;
        } else {
            encode_failed(&statuses[i], &room[i], rc);
        }
    }
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

/* A null pointer in the place of a request is the host's to refuse. */
PROCEDURE(app_code, MPI_Wait, app_request *request, app_status *status)
{
    host_status room, *its_status = status_room(&room, status);
    if (unlikely(!request))
        return result(host.MPI_Wait(0, its_status));
    host_request staged = request_to_host(*request);
    host_code rc = COMPLETE(adapter_wait(&staged, its_status), MPI_Wait(&staged, its_status));
    *request = request_at(&staged);
    return_status(status, &room, rc == 0);
    return result(rc);
}

PROCEDURE(app_code, MPI_Test, app_request *request, int *flag, app_status *status)
{
    host_status room, *its_status = status_room(&room, status);
    if (unlikely(!request))
        return result(host.MPI_Test(0, flag, its_status));
    host_request staged = request_to_host(*request);
    host_code rc = COMPLETE(adapter_test(&staged, flag, its_status), MPI_Test(&staged, flag, its_status));
    /* While the operation is pending nothing changes. */
    if (rc == 0 && !*flag)
        return 0;
    *request = request_at(&staged);
    return_status(status, &room, rc == 0);
    return result(rc);
}

/* MPI_Waitall and MPI_Startall are mostly called for few requests, and their statuses are ignored: a loop and room for any number
 * would take 30 instructions more. */
#define FEW_REQUESTS 3

INLINE void decode_few(host_request *staged, const app_request *requests, int count)
{
    staged[0] = request_to_host(requests[0]);
    if (count > 1)
        staged[1] = request_to_host(requests[1]);
    if (count > 2)
        staged[2] = request_to_host(requests[2]);
}

INLINE void encode_few(app_request *requests, const host_request *staged, int count)
{
    requests[0] = request_at(&staged[0]);
    if (count > 1)
        requests[1] = request_at(&staged[1]);
    if (count > 2)
        requests[2] = request_at(&staged[2]);
}

INLINE int are_few(int count, const app_request *requests)
{
    return likely(requests != 0) && (unsigned)count - 1 < FEW_REQUESTS;
}

static __attribute__((noinline)) app_code wait_all(int count, app_request *requests, app_status *statuses)
{
    struct room room;
    struct staged staged;
    if (unlikely(!stage(&staged, &room, count, requests, statuses)))
        return raise_error(HOST_MPI_ERR_NO_MEM);
    host_code rc = COMPLETE(adapter_waitall(count, staged.requests, staged.statuses),
                            MPI_Waitall(count, staged.requests, staged.statuses));
    return_requests(requests, &staged);
    return_statuses(statuses, &staged, count, rc);
    free_staged(&staged, &room);
    return result(rc);
}

PROCEDURE(app_code, MPI_Waitall, int count, app_request *requests, app_status *statuses)
{
    if (!IS_IGNORED(statuses) || !are_few(count, requests))
        return wait_all(count, requests, statuses);
    host_request staged[FEW_REQUESTS];
    decode_few(staged, requests, count);
    host_code rc = COMPLETE(adapter_waitall(count, staged, HOST_MPI_STATUSES_IGNORE),
                            MPI_Waitall(count, staged, HOST_MPI_STATUSES_IGNORE));
    encode_few(requests, staged, count);
    return result(rc);
}

PROCEDURE(app_code, MPI_Testall, int count, app_request *requests, int *flag, app_status *statuses)
{
    struct room room;
    struct staged staged;
    if (unlikely(!stage(&staged, &room, count, requests, statuses)))
        return raise_error(HOST_MPI_ERR_NO_MEM);
    int done = 0;
    host_code rc = COMPLETE(adapter_testall(count, staged.requests, flag ? &done : 0, staged.statuses),
                            MPI_Testall(count, staged.requests, flag ? &done : 0, staged.statuses));
    /* While operations are pending no request changes, and statuses are undefined (MPI-4.1 section 3.7.5). */
    if (done || rc != 0) {
        return_requests(requests, &staged);
        return_statuses(statuses, &staged, count, rc);
    }
    free_staged(&staged, &room);
    if (flag)
        *flag = done;
    return result(rc);
}

PROCEDURE(app_code, MPI_Waitany, int count, app_request *requests, int *index, app_status *status)
{
    struct room room;
    struct staged staged;
    if (unlikely(!stage(&staged, &room, count, requests, APP_MPI_STATUSES_IGNORE)))
        return raise_error(HOST_MPI_ERR_NO_MEM);
    host_status its_room, *its_status = status_room(&its_room, status);
    int which = -1;
    host_code rc = COMPLETE(adapter_waitany(count, staged.requests, index ? &which : 0, its_status),
                            MPI_Waitany(count, staged.requests, index ? &which : 0, its_status));
    which = checked_index(which, count);
    return_any(requests, &staged, which);
    free_staged(&staged, &room);
    return_status(status, &its_room, rc == 0);
    if (index && (rc == 0 || which >= 0))
        *index = index_to_app(which);
    return result(rc);
}

PROCEDURE(app_code, MPI_Testany, int count, app_request *requests, int *index, int *flag, app_status *status)
{
    struct room room;
    struct staged staged;
    if (unlikely(!stage(&staged, &room, count, requests, APP_MPI_STATUSES_IGNORE)))
        return raise_error(HOST_MPI_ERR_NO_MEM);
    host_status its_room, *its_status = status_room(&its_room, status);
    int which = -1;
    host_code rc = COMPLETE(adapter_testany(count, staged.requests, index ? &which : 0, flag, its_status),
                            MPI_Testany(count, staged.requests, index ? &which : 0, flag, its_status));
    which = checked_index(which, count);
    return_any(requests, &staged, which);
    free_staged(&staged, &room);
    /* MPICH leaves the empty status out if one of the requests is persistent. */
    if (unlikely(which == HOST_MPI_UNDEFINED) && rc == 0 && flag && *flag && !IS_IGNORED(status) &&
        its_room.MPI_SOURCE == STATUS_UNTOUCHED)
        adapter_empty_status(&its_room);
    return_status(status, &its_room, rc == 0 && *flag);
    if (index && (rc == 0 || which >= 0))
        *index = index_to_app(which);
    return result(rc);
}

typedef int some_function(int, host_request *, int *, int *, host_status *);

/* Converting requests may make some special: which procedure is called is decided after that. */
INLINE int complete_some(some_function *own, some_function *const *theirs, int count, app_request *requests, int *outcount, int *indices,
                app_status *statuses)
{
    struct room room;
    struct staged staged;
    if (unlikely(!stage(&staged, &room, count, requests, statuses)))
        return raise_error(HOST_MPI_ERR_NO_MEM);
    int done = 0;
    host_code rc = (has_special_requests() ? own : *theirs)(count, staged.requests, outcount ? &done : 0, indices, staged.statuses);
    done = checked_count(done, count);
    return_some(requests, &staged, indices, done, rc);
    return_statuses(statuses, &staged, done, rc);
    free_staged(&staged, &room);
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

static __attribute__((noinline)) app_code start_all(int count, app_request *requests)
{
    struct room room;
    struct staged staged;
    if (unlikely(!stage(&staged, &room, count, requests, APP_MPI_STATUSES_IGNORE)))
        return raise_error(HOST_MPI_ERR_NO_MEM);
    host_code rc = COMPLETE(adapter_startall(count, staged.requests), MPI_Startall(count, staged.requests));
    return_requests(requests, &staged);
    free_staged(&staged, &room);
    return result(rc);
}

PROCEDURE(app_code, MPI_Startall, int count, app_request *requests)
{
    if (!are_few(count, requests))
        return start_all(count, requests);
    host_request staged[FEW_REQUESTS];
    decode_few(staged, requests, count);
    host_code rc = COMPLETE(adapter_startall(count, staged), MPI_Startall(count, staged));
    encode_few(requests, staged, count);
    return result(rc);
}

PROCEDURE(app_code, MPI_Start, app_request *request)
{
    if (unlikely(!request))
        return result(host.MPI_Start(0));
    host_request staged = request_to_host(*request);
    host_code rc = COMPLETE(adapter_start(&staged), MPI_Start(&staged));
    *request = request_at(&staged);
    return result(rc);
}

PROCEDURE(app_code, MPI_Cancel, app_request *request)
{
    if (unlikely(!request))
        return result(host.MPI_Cancel(0));
    host_request staged = request_to_host(*request);
    host_code rc = COMPLETE(adapter_cancel(&staged), MPI_Cancel(&staged));
    return result(rc);
}

PROCEDURE(app_code, MPI_Request_free, app_request *request)
{
    if (unlikely(!request))
        return result(host.MPI_Request_free(0));
    host_request staged = request_to_host(*request);
    host_code rc = COMPLETE(adapter_free(&staged), MPI_Request_free(&staged));
    *request = request_at(&staged);
    return result(rc);
}

PROCEDURE(app_code, MPI_Request_get_status, app_request request, int *flag, app_status *status)
{
    host_status room, *its_status = status_room(&room, status);
    host_request staged = request_to_host(request);
    host_code rc = COMPLETE(adapter_get_status(staged, flag, its_status),
                            MPI_Request_get_status(staged, flag, its_status));
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
    struct room room;
    struct staged staged;
    if (unlikely(!stage(&staged, &room, count, requests, statuses)))
        return raise_error(HOST_MPI_ERR_NO_MEM);
    int done = 0;
    host_code rc = COMPLETE(built_MPI_Request_get_status_all(count, staged.requests, &done, staged.statuses),
                      MPI_Request_get_status_all(count, staged.requests, &done, staged.statuses));
    return_statuses(statuses, &staged, done || rc != 0 ? count : 0, rc);
    free_staged(&staged, &room);
    *flag = done;
    return result(rc);
}

PROCEDURE(app_code, MPI_Request_get_status_any, int count, const app_request requests[], int *index, int *flag,
          app_status *status)
{
    if (!index || !flag || (!requests && count > 0))
        return raise_error(HOST_MPI_ERR_ARG);
    struct room room;
    struct staged staged;
    if (unlikely(!stage(&staged, &room, count, requests, APP_MPI_STATUSES_IGNORE)))
        return raise_error(HOST_MPI_ERR_NO_MEM);
    host_status its_room, *its_status = status_room(&its_room, status);
    int which = -1;
    host_code rc = COMPLETE(built_MPI_Request_get_status_any(count, staged.requests, &which, flag, its_status),
                      MPI_Request_get_status_any(count, staged.requests, &which, flag, its_status));
    return_status(status, &its_room, rc == 0 && *flag);
    free_staged(&staged, &room);
    if (rc == 0 || which >= 0)
        *index = index_to_app(which);
    return result(rc);
}

PROCEDURE(app_code, MPI_Request_get_status_some, int count, const app_request requests[], int *outcount, int *indices,
          app_status *statuses)
{
    if (!outcount || !indices || (!requests && count > 0))
        return raise_error(HOST_MPI_ERR_ARG);
    struct room room;
    struct staged staged;
    if (unlikely(!stage(&staged, &room, count, requests, statuses)))
        return raise_error(HOST_MPI_ERR_NO_MEM);
    int done = 0;
    host_code rc = COMPLETE(built_MPI_Request_get_status_some(count, staged.requests, &done, indices, staged.statuses),
                      MPI_Request_get_status_some(count, staged.requests, &done, indices, staged.statuses));
    return_statuses(statuses, &staged, done, rc);
    free_staged(&staged, &room);
    *outcount = index_to_app(done);
    return result(rc);
}
