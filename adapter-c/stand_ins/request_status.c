/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of several requests, MPI-4.1 section 3.7.6. */
#include "convert/host_side.h"
#include "requests/adapter_request.h"
#include "layers/built.h"

/* Raises the error of an array of requests that cannot be read. Returns 0, or the host's code. */
static int check_requests_in(int count, const host_request *requests, const char *function)
{
    if (count < 0)
        return fail_in(HOST_MPI_ERR_COUNT, function);
    return count > 0 && !requests ? fail_in(HOST_MPI_ERR_ARG, function) : 0;
}
#define check_requests(count, requests) check_requests_in(count, requests, __func__)

host_code built_MPI_Request_get_status_all(int count, const host_request *requests, int *flag, host_status *statuses)
{
    int bad = flag ? check_requests(count, requests) : fail(HOST_MPI_ERR_ARG);
    if (bad != 0)
        return bad;
    *flag = 1;
    for (int i = 0; i < count && *flag; i++) {
        host_status *status = statuses == HOST_MPI_STATUSES_IGNORE ? HOST_MPI_STATUS_IGNORE : &statuses[i];
        host_code rc = adapter_get_status(requests[i], flag, status);
        if (rc != 0)
            return rc;
    }
    return 0;
}

host_code built_MPI_Request_get_status_any(int count, const host_request *requests, int *index, int *flag,
                                     host_status *status)
{
    int active = 0, bad = flag && index ? check_requests(count, requests) : fail(HOST_MPI_ERR_ARG);
    if (bad != 0)
        return bad;
    *flag = 0;
    *index = HOST_MPI_UNDEFINED;
    for (int i = 0; i < count; i++) {
        if (adapter_is_inactive(requests[i]))
            continue;
        active = 1;
        host_code rc = adapter_get_status(requests[i], flag, status);
        if (*flag)
            *index = i;
        if (rc != 0 || *flag)
            return rc;
    }
    /* With no active request the status is empty, as MPI_REQUEST_NULL's is. */
    return active ? 0 : host.MPI_Request_get_status(HOST_MPI_REQUEST_NULL, flag, status);
}

host_code built_MPI_Request_get_status_some(int count, const host_request *requests, int *outcount, int *indices,
                                      host_status *statuses)
{
    int active = 0, done = 0;
    int bad = outcount && (indices || count <= 0) ? check_requests(count, requests) : fail(HOST_MPI_ERR_ARG);
    if (bad != 0)
        return bad;
    for (int i = 0; i < count; i++) {
        host_status *status = statuses == HOST_MPI_STATUSES_IGNORE ? HOST_MPI_STATUS_IGNORE : &statuses[done];
        int flag = 0, rc = !adapter_is_inactive(requests[i]) ? adapter_get_status(requests[i], &flag, status) : 0;
        if (rc != 0)
            return rc;
        active |= !adapter_is_inactive(requests[i]);
        if (flag)
            indices[done++] = i;
    }
    *outcount = active ? done : HOST_MPI_UNDEFINED;
    return 0;
}
