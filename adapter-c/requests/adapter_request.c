/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a request of ours: made, begun or started, cancelled, freed. */
#include <stdlib.h>

#include "convert/host_side.h"
#include "layers/lock.h"
#include "requests/adapter_handle.h"
#include "requests/retained_array.h"

/* Freed requests whose operations are not complete. */
static struct adapter_request *freed_requests;
LOCK(freed_requests);

static void release_arguments(const struct adapter_operation *operation)
{
    if (operation->release)
        operation->release(operation->arguments);
}

void adapter_destroy(struct adapter_request *own)
{
    release_arguments(&own->operation);
    free(own);
}

/* Returns whether a freed request is complete. */
static int is_complete(struct adapter_request *own)
{
    int done = 0;
    host.MPI_Testall(own->operation.parts, own->parts, &done, HOST_MPI_STATUSES_IGNORE);
    return done && adapter_poll_once(own);
}

static void put_off_free(struct adapter_request *own)
{
    take_lock(freed_requests);
    own->next = freed_requests;
    freed_requests = own;
    release_lock(freed_requests);
}

/* Releases freed requests whose operations are complete by now. */
static void reap_freed(void)
{
    take_lock(freed_requests);
    struct adapter_request *list = freed_requests;
    freed_requests = 0;
    release_lock(freed_requests);
    while (list) {
        struct adapter_request *own = list;
        list = own->next;
        if (is_complete(own))
            adapter_destroy(own);
        else
            put_off_free(own);
    }
}

/* Makes a request of ours, which takes over the arguments. Returns null, with an error raised, if memory runs out. */
static struct adapter_request *make_request(const struct adapter_operation *operation, host_request *request, int *rc)
{
    struct adapter_request *own = request ? calloc(1, sizeof *own + (size_t)operation->parts * sizeof(host_request))
                                          : 0;
    reap_freed();
    if (own) {
        own->operation = *operation;
        for (int i = 0; i < operation->parts; i++)
            own->parts[i] = HOST_MPI_REQUEST_NULL;
        if (adapter_publish(own, request) == 0)
            return own;
    }
    free(own);
    release_arguments(operation);
    *rc = fail_comm(operation->comm, request ? HOST_MPI_ERR_NO_MEM : HOST_MPI_ERR_ARG);
    return 0;
}

void adapter_empty_status(host_status *status)
{
    host_request none = HOST_MPI_REQUEST_NULL;
    int flag;
    host.MPI_Test(&none, &flag, status);
    status->MPI_ERROR = HOST_MPI_SUCCESS;
}

/* Begins the operation's parts. If the host refuses one after others began, the request stays active
 * until these are complete. */
static int begin_operation(struct adapter_request *own)
{
    own->error = 0;
    adapter_empty_status(&own->status);
    host_code rc = own->operation.issue(own->operation.arguments, own->parts);
    own->active = rc == 0 || !adapter_has_ended(own);
    return rc;
}

int adapter_begin(const struct adapter_operation *operation, host_request *request)
{
    host_code rc = 0;
    struct adapter_request *own = make_request(operation, request, &rc);
    if (own && (rc = begin_operation(own)) != 0)
        adapter_free(request);
    return rc;
}

int adapter_persistent(const struct adapter_operation *operation, host_request *request)
{
    host_code rc = 0;
    struct adapter_request *own = make_request(operation, request, &rc);
    if (own)
        own->persistent = 1;
    return rc;
}

int adapter_start(host_request *request)
{
    struct adapter_request *own = request ? adapter_of(*request) : 0;
    if (adapter_lacks_request(request, 1))
        return fail_in(HOST_MPI_ERR_REQUEST, "MPI_Start");
    if (!own)
        return host.MPI_Start(request);
    if (own->active || !own->persistent)
        return fail_in(HOST_MPI_ERR_REQUEST, "MPI_Start");
    return begin_operation(own);
}

int adapter_startall(int count, host_request *requests)
{
    if (adapter_lacks_request(requests, count))
        return fail_in(HOST_MPI_ERR_REQUEST, "MPI_Startall");
    if (!adapter_among(requests, count))
        return host.MPI_Startall(count, requests);
    for (int i = 0; i < count; i++) {
        host_code rc = adapter_start(&requests[i]);
        if (rc != 0)
            return rc;
    }
    return 0;
}

int adapter_cancel(host_request *request)
{
    struct adapter_request *own = request ? adapter_of(*request) : 0;
    if (adapter_lacks_request(request, 1))
        return fail_in(HOST_MPI_ERR_REQUEST, "MPI_Cancel");
    if (!own)
        return host.MPI_Cancel(request);
    /* A started one that has neither parts nor anything else to wait for is complete: there is nothing to cancel. */
    if (!own->active || (own->persistent && (own->operation.parts > 0 || own->operation.poll)))
        return fail_in(HOST_MPI_ERR_REQUEST, "MPI_Cancel");
    for (int i = 0; i < own->operation.parts; i++) {
        host_code rc = adapter_is_null(own->parts[i]) ? 0 : host.MPI_Cancel(&own->parts[i]);
        if (rc != 0)
            return rc;
    }
    return 0;
}

int adapter_free(host_request *request)
{
    struct adapter_request *own = request ? adapter_of(*request) : 0;
    if (adapter_lacks_request(request, 1))
        return fail_in(HOST_MPI_ERR_REQUEST, "MPI_Request_free");
    if (!own) {
        host_request before = request ? *request : HOST_MPI_REQUEST_NULL;
        uint64_t mark = retain_mark();
        host_code rc = host.MPI_Request_free(request);
        if (request)
            adapter_settle(before, *request, mark);
        return rc;
    }
    /* MPI-4.0, 4.2: it is erroneous to free partitions that are not complete. Nobody could mark the rest any more,
     * and the other side would wait for ever. */
    if (own->active && own->operation.wants_calls && own->operation.wants_calls(own->operation.arguments))
        return fail_comm_in(own->operation.comm, HOST_MPI_ERR_REQUEST, "MPI_Request_free");
    adapter_withdraw(*request);
    *request = HOST_MPI_REQUEST_NULL;
    if (own->active && !is_complete(own))
        put_off_free(own);
    else
        adapter_destroy(own);
    return 0;
}

int adapter_get_status(host_request request, int *flag, host_status *status)
{
    struct adapter_request *own = adapter_of(request);
    if (adapter_lacks_request(&request, 1))
        return fail_in(HOST_MPI_ERR_REQUEST, "MPI_Request_get_status");
    if (!own)
        return host.MPI_Request_get_status(request, flag, status);
    if (!flag)
        return fail_in(HOST_MPI_ERR_ARG, "MPI_Request_get_status");
    if (!own->active)
        return host.MPI_Request_get_status(HOST_MPI_REQUEST_NULL, flag, status);
    *flag = adapter_poll_once(own);
    host_status result = own->status;
    for (int i = 0; i < own->operation.parts && *flag; i++) {
        host_status *wanted = i == own->operation.status_part ? &result : HOST_MPI_STATUS_IGNORE;
        host_code rc = adapter_is_null(own->parts[i]) ? 0 : host.MPI_Request_get_status(own->parts[i], flag, wanted);
        if (rc != 0)
            return rc;
    }
    if (*flag && status != HOST_MPI_STATUS_IGNORE)
        *status = result;
    return 0;
}

void *adapter_arguments(host_request request, adapter_issue *issue)
{
    const struct adapter_request *own = adapter_of(request);
    return own && own->operation.issue == issue ? own->operation.arguments : 0;
}

int adapter_is_inactive(host_request request)
{
    const struct adapter_request *own = adapter_of(request);
    return own ? !own->active : adapter_is_null(request);
}
