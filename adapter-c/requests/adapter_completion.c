/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion of requests of ours and the host's, in one array: the host is called with what they
 * consist of. While some are polled it is asked, and never waits. */
#include <sched.h>
#include <stdlib.h>

#include "convert/host_side.h"
#include "convert/host_status.h"
#include "requests/adapter_handle.h"
#include "requests/retained_array.h"

/* Reports a complete operation: sets the application's handle and status. Returns the operation's error. */
static int report_status(host_request *request, host_status *status)
{
    struct adapter_request *own = adapter_of(*request);
    int error = own->error;
    if (status != HOST_MPI_STATUS_IGNORE) {
        *status = own->status;
        status->MPI_ERROR = error;
    }
    own->active = 0;
    if (!own->persistent) {
        adapter_withdraw(*request);
        adapter_destroy(own);
        *request = HOST_MPI_REQUEST_NULL;
    }
    return error;
}

/* The host's requests that an array stands for. */
struct spread {
    int count;
    host_request *requests, *before;
    host_status *statuses;
    int *owner, *part; /* place in the application's array, and part of the request there */
    int *indices;
    uint64_t mark;
};

static int parts_of(const host_request *requests, int count)
{
    int total = 0;
    for (int i = 0; i < count; i++) {
        const struct adapter_request *own = adapter_of(requests[i]);
        total += own ? own->operation.parts : 1;
    }
    return total;
}

static void put_request(struct spread *e, host_request request, int owner, int part)
{
    int k = e->count++;
    e->requests[k] = e->before[k] = request;
    status_prepare_all(&e->statuses[k]);
    e->owner[k] = owner;
    e->part[k] = part;
}

static void put_parts(struct spread *e, const struct adapter_request *own, int owner)
{
    for (int part = 0; own->active && part < own->operation.parts; part++)
        if (!adapter_is_null(own->parts[part]))
            put_request(e, own->parts[part], owner, part);
}

static void collapse_spread(struct spread *e)
{
    free(e->statuses);
}

/* Lists the host's requests that an array stands for. One block of memory holds all of the lists. */
static int spread_requests(struct spread *e, const host_request *requests, int count)
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
        const struct adapter_request *own = adapter_of(requests[i]);
        if (own)
            put_parts(e, own, i);
        else
            put_request(e, requests[i], i, 0);
    }
    return 0;
}

/* Takes over what a call did to request k, whose status is `status`. Returns true for a request of the host's. A part of ours is noted
 * in the request that it belongs to. */
static int absorb_completion(const struct spread *e, int k, const host_status *status, host_request *requests)
{
    struct adapter_request *own = adapter_of(requests[e->owner[k]]);
    adapter_settle(e->before[k], e->requests[k], e->mark);
    if (!own) {
        requests[e->owner[k]] = e->requests[k];
        return 1;
    }
    own->parts[e->part[k]] = e->requests[k];
    if (adapter_is_null(e->requests[k]) && e->part[k] == own->operation.status_part)
        own->status = *status;
    if (status->MPI_ERROR != STATUS_UNTOUCHED && status->MPI_ERROR != HOST_MPI_ERR_PENDING && !own->error)
        own->error = status->MPI_ERROR;
    return 0;
}

/* Returns whether one of the requests is polled. */
static int some_polled(const host_request *requests, int count)
{
    for (int i = 0; i < count; i++)
        if (adapter_is_polled(adapter_of(requests[i])))
            return 1;
    return 0;
}

/* Brings each polled request forward. Returns whether all of these are complete. */
static int advance_polled(const host_request *requests, int count)
{
    int complete = 1;
    for (int i = 0; i < count; i++) {
        struct adapter_request *own = adapter_of(requests[i]);
        complete &= !adapter_is_polled(own) || adapter_poll_once(own);
    }
    return complete;
}

/* Sets MPI_ERROR after a call that returned 0, and so set none, although a request that was polled failed. */
static int note_failure(host_status *statuses, int count)
{
    for (int i = 0; i < count && statuses != HOST_MPI_STATUSES_IGNORE; i++)
        if (statuses[i].MPI_ERROR == STATUS_UNTOUCHED)
            statuses[i].MPI_ERROR = HOST_MPI_SUCCESS;
    return HOST_MPI_ERR_IN_STATUS;
}

/* Sets each request's status after a call for all of them that returned `rc`. Returns the code of the call for the application's
 * requests. */
static int absorb_all(const struct spread *e, host_request *requests, int count, host_status *statuses, host_code rc)
{
    int failed = 0;
    for (int i = 0; i < count && statuses != HOST_MPI_STATUSES_IGNORE; i++)
        adapter_empty_status(&statuses[i]);
    for (int k = 0; k < e->count; k++)
        if (absorb_completion(e, k, &e->statuses[k], requests) && statuses != HOST_MPI_STATUSES_IGNORE)
            statuses[e->owner[k]] = e->statuses[k];
    for (int i = 0; i < count; i++)
        if (adapter_is_ready(adapter_of(requests[i])))
            failed |= report_status(&requests[i],
                                    statuses == HOST_MPI_STATUSES_IGNORE ? HOST_MPI_STATUS_IGNORE : &statuses[i]) != 0;
    return rc == 0 && failed ? note_failure(statuses, count) : rc;
}

/* An array of the host's requests alone goes to the host as it is. What completed ones have retained is released after the call: this
 * is the array before it. */
struct watch {
    host_request *before;
    uint64_t mark;
};

static struct watch watch_requests(const host_request *requests, int count)
{
    struct watch seen = { requests && count > 0 ? malloc((size_t)count * sizeof *requests) : 0, retain_mark() };
    if (seen.before)
        memcpy(seen.before, requests, (size_t)count * sizeof *requests);
    return seen;
}

/* Releases what completed requests have retained, after the host's call, which returned `rc`. */
static int settle_watched(struct watch seen, const host_request *requests, int count, host_code rc)
{
    for (int i = 0; seen.before && i < count; i++)
        adapter_settle(seen.before[i], requests[i], seen.mark);
    free(seen.before);
    return rc;
}

/* The same for a single request, which may be a null pointer. */
struct watch_one {
    host_request before;
    uint64_t mark;
};

static struct watch_one watch_one(const host_request *request)
{
    return (struct watch_one){ request ? *request : HOST_MPI_REQUEST_NULL, retain_mark() };
}

static int settle_one(struct watch_one seen, const host_request *request, host_code rc)
{
    if (request)
        adapter_settle(seen.before, *request, seen.mark);
    return rc;
}

int adapter_waitall(int count, host_request *requests, host_status *statuses)
{
    struct spread e;
    if (adapter_lacks_request(requests, count))
        return fail_in(HOST_MPI_ERR_REQUEST, "MPI_Waitall");
    if (!adapter_among(requests, count)) {
        struct watch seen = watch_requests(requests, count);
        return settle_watched(seen, requests, count, host.MPI_Waitall(count, requests, statuses));
    }
    while (!advance_polled(requests, count))
        sched_yield();
    host_code rc = spread_requests(&e, requests, count);
    if (rc != 0)
        return rc;
    rc = host.MPI_Waitall(e.count, e.requests, e.statuses);
    rc = absorb_all(&e, requests, count, statuses, rc);
    collapse_spread(&e);
    return rc;
}

int adapter_testall(int count, host_request *requests, int *flag, host_status *statuses)
{
    struct spread e;
    if (adapter_lacks_request(requests, count))
        return fail_in(HOST_MPI_ERR_REQUEST, "MPI_Testall");
    if (!adapter_among(requests, count)) {
        struct watch seen = watch_requests(requests, count);
        return settle_watched(seen, requests, count, host.MPI_Testall(count, requests, flag, statuses));
    }
    if (!flag)
        return fail_in(HOST_MPI_ERR_ARG, "MPI_Testall");
    *flag = advance_polled(requests, count);
    host_code rc = *flag ? spread_requests(&e, requests, count) : 0;
    if (rc != 0 || !*flag)
        return rc;
    rc = host.MPI_Testall(e.count, e.requests, flag, e.statuses);
    if (*flag || rc != 0)
        rc = absorb_all(&e, requests, count, statuses, rc);
    collapse_spread(&e);
    return rc;
}

/* Returns the error of a single operation. The code of a call for several says only that there is one. */
static int single_code(host_code rc, const host_status *status)
{
    int known = status->MPI_ERROR != STATUS_UNTOUCHED && status->MPI_ERROR != HOST_MPI_SUCCESS;
    return rc == HOST_MPI_ERR_IN_STATUS && known ? status->MPI_ERROR : rc;
}

int adapter_wait(host_request *request, host_status *status)
{
    host_status result;
    if (adapter_lacks_request(request, 1))
        return fail_in(HOST_MPI_ERR_REQUEST, "MPI_Wait");
    if (!adapter_among(request, 1)) {
        struct watch_one seen = watch_one(request);
        return settle_one(seen, request, host.MPI_Wait(request, status));
    }
    status_prepare_all(&result);
    host_code rc = single_code(adapter_waitall(1, request, &result), &result);
    if (status != HOST_MPI_STATUS_IGNORE)
        *status = result;
    return rc;
}

int adapter_test(host_request *request, int *flag, host_status *status)
{
    host_status result;
    status_prepare_all(&result);
    if (adapter_lacks_request(request, 1))
        return fail_in(HOST_MPI_ERR_REQUEST, "MPI_Test");
    if (!adapter_among(request, 1)) {
        struct watch_one seen = watch_one(request);
        return settle_one(seen, request, host.MPI_Test(request, flag, status));
    }
    if (!flag)
        return fail_in(HOST_MPI_ERR_ARG, "MPI_Test");
    host_code rc = single_code(adapter_testall(1, request, flag, &result), &result);
    if (*flag && status != HOST_MPI_STATUS_IGNORE)
        *status = result;
    return rc;
}

static int first_ready(const host_request *requests, int count)
{
    for (int i = 0; i < count; i++)
        if (adapter_is_ready(adapter_of(requests[i])))
            return i;
    return -1;
}

/* Calls the host once. Returns true when the answer stands, and false when only a part was completed. The host does not know requests
 * that are `polled`: without them it may say that none is active. */
static int any_step(int wait, int polled, int count, host_request *requests, int *index, int *flag, host_status *status,
                    int *rc)
{
    struct spread e;
    host_status result = { .MPI_SOURCE = STATUS_UNTOUCHED, .MPI_ERROR = STATUS_UNTOUCHED };
    int k = HOST_MPI_UNDEFINED, stands = 1;
    *flag = 1;
    *rc = spread_requests(&e, requests, count);
    if (*rc != 0)
        return 1;
    *rc = wait ? host.MPI_Waitany(e.count, e.requests, &k, &result)
               : host.MPI_Testany(e.count, e.requests, &k, flag, &result);
    *index = HOST_MPI_UNDEFINED;
    *flag &= !(polled && *rc == 0 && k == HOST_MPI_UNDEFINED);
    if (k >= 0 && k < e.count && (*flag || *rc != 0)) {
        *index = e.owner[k];
        result.MPI_ERROR = *rc;
        stands = absorb_completion(&e, k, &result, requests);
    }
    if (stands && *flag && status != HOST_MPI_STATUS_IGNORE)
        *status = result;
    collapse_spread(&e);
    return stands;
}

static int complete_mixed_any(int wait, int count, host_request *requests, int *index, int *flag, host_status *status)
{
    int polled = some_polled(requests, count);
    for (;;) {
        host_code rc, ready = first_ready(requests, count);
        if (ready >= 0) {
            *index = ready;
            *flag = 1;
            return report_status(&requests[ready], status);
        }
        if (!any_step(wait && !polled, polled, count, requests, index, flag, status, &rc))
            continue;
        if (!wait || *flag || rc != 0)
            return rc;
        sched_yield();
    }
}

int adapter_waitany(int count, host_request *requests, int *index, host_status *status)
{
    int flag;
    if (adapter_lacks_request(requests, count))
        return fail_in(HOST_MPI_ERR_REQUEST, "MPI_Waitany");
    if (!adapter_among(requests, count)) {
        struct watch seen = watch_requests(requests, count);
        return settle_watched(seen, requests, count, host.MPI_Waitany(count, requests, index, status));
    }
    return index ? complete_mixed_any(1, count, requests, index, &flag, status) : fail_in(HOST_MPI_ERR_ARG, "MPI_Waitany");
}

int adapter_testany(int count, host_request *requests, int *index, int *flag, host_status *status)
{
    if (adapter_lacks_request(requests, count))
        return fail_in(HOST_MPI_ERR_REQUEST, "MPI_Testany");
    if (!adapter_among(requests, count)) {
        struct watch seen = watch_requests(requests, count);
        return settle_watched(seen, requests, count, host.MPI_Testany(count, requests, index, flag, status));
    }
    return index && flag ? complete_mixed_any(0, count, requests, index, flag, status)
                         : fail_in(HOST_MPI_ERR_ARG, "MPI_Testany");
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
        if (!adapter_is_ready(adapter_of(requests[i])))
            continue;
        results->failed |= report_status(&requests[i], next_status(results)) != 0;
        results->indices[results->done++] = i;
    }
}

/* Calls the host once. Sets `active` to whether there was anything to complete. */
static int some_step(int wait, int count, host_request *requests, struct results *results, int *active)
{
    struct spread e;
    int completed = 0, rc = spread_requests(&e, requests, count);
    if (rc != 0)
        return rc;
    rc = wait ? host.MPI_Waitsome(e.count, e.requests, &completed, e.indices, e.statuses)
              : host.MPI_Testsome(e.count, e.requests, &completed, e.indices, e.statuses);
    *active = completed != HOST_MPI_UNDEFINED;
    for (int j = 0; j < completed; j++) {
        int k = e.indices[j];
        if (!absorb_completion(&e, k, &e.statuses[j], requests))
            continue;
        results->failed |= rc == HOST_MPI_ERR_IN_STATUS && e.statuses[j].MPI_ERROR != HOST_MPI_SUCCESS;
        if (results->statuses != HOST_MPI_STATUSES_IGNORE)
            *next_status(results) = e.statuses[j];
        results->indices[results->done++] = e.owner[k];
    }
    collapse_spread(&e);
    return rc == HOST_MPI_ERR_IN_STATUS ? 0 : rc;
}

static int complete_mixed_some(int wait, int count, host_request *requests, int *outcount, int *indices,
                         host_status *statuses)
{
    struct results results = { 0, 0, indices, statuses };
    int active = 1, rc;
    if (!outcount || !indices)
        return fail(HOST_MPI_ERR_ARG);
    int polled = some_polled(requests, count);
    report_ready(&results, requests, count);
    do {
        rc = some_step(wait && !polled && results.done == 0, count, requests, &results, &active);
        active |= polled;
        if (rc == 0)
            report_ready(&results, requests, count);
        if (wait && polled && results.done == 0)
            sched_yield();
    } while (rc == 0 && wait && active && results.done == 0);
    *outcount = active || results.done > 0 ? results.done : HOST_MPI_UNDEFINED;
    return rc == 0 && results.failed ? note_failure(statuses, results.done) : rc;
}

int adapter_waitsome(int count, host_request *requests, int *outcount, int *indices, host_status *statuses)
{
    if (adapter_lacks_request(requests, count))
        return fail_in(HOST_MPI_ERR_REQUEST, "MPI_Waitsome");
    if (!adapter_among(requests, count)) {
        struct watch seen = watch_requests(requests, count);
        return settle_watched(seen, requests, count, host.MPI_Waitsome(count, requests, outcount, indices, statuses));
    }
    return complete_mixed_some(1, count, requests, outcount, indices, statuses);
}

int adapter_testsome(int count, host_request *requests, int *outcount, int *indices, host_status *statuses)
{
    if (adapter_lacks_request(requests, count))
        return fail_in(HOST_MPI_ERR_REQUEST, "MPI_Testsome");
    if (!adapter_among(requests, count)) {
        struct watch seen = watch_requests(requests, count);
        return settle_watched(seen, requests, count, host.MPI_Testsome(count, requests, outcount, indices, statuses));
    }
    return complete_mixed_some(0, count, requests, outcount, indices, statuses);
}
