/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of our own: a persistent collective operation, or one operation made of several of the
 * host's, which the host has no request for. Such a request has a handle in the host's type that
 * no request of the host's has, and lives in the application's arrays beside the host's.
 *
 * Completion calls know them from special_requests (retain.h): while it is 0 they call the host
 * directly, else the procedures below, which call the host with the requests that ours consist of. */
#ifndef OWN_REQUEST_H
#define OWN_REQUEST_H

#include "retain.h"

/* Issues the host's operations of a persistent request, in order, at each MPI_Start. */
typedef int own_issue(void *arguments, host_request *parts);

/* What an operation of ours is made of: `arguments` belong to the request until it is gone, when
 * `release` (may be null) frees them. The status of the operation is that of part `status_part`. */
struct own_operation {
    int parts;
    int status_part;
    own_issue *issue;
    void (*release)(void *arguments);
    void *arguments;
};

/* A request for operations of the host's that have begun; it is gone when all are complete. On
 * failure (out of memory) the operations go on and their arguments are kept for good. */
COLD int own_begun(const struct own_operation *operation, const host_request *parts, host_request *request);

/* An inactive persistent request. On failure the arguments are released. */
COLD int own_persistent(const struct own_operation *operation, host_request *request);

/* The host's procedures of the same names, for requests of both sorts. */
COLD int own_wait(host_request *request, host_status *status);
COLD int own_test(host_request *request, int *flag, host_status *status);
COLD int own_waitall(int count, host_request *requests, host_status *statuses);
COLD int own_testall(int count, host_request *requests, int *flag, host_status *statuses);
COLD int own_waitany(int count, host_request *requests, int *index, host_status *status);
COLD int own_testany(int count, host_request *requests, int *index, int *flag, host_status *status);
COLD int own_waitsome(int count, host_request *requests, int *outcount, int *indices, host_status *statuses);
COLD int own_testsome(int count, host_request *requests, int *outcount, int *indices, host_status *statuses);
COLD int own_start(host_request *request);
COLD int own_startall(int count, host_request *requests);
COLD int own_cancel(host_request *request);
COLD int own_free(host_request *request);
COLD int own_get_status(host_request request, int *flag, host_status *status);

/* The host's empty status. */
COLD void empty_status(host_status *status);

/* True for MPI_REQUEST_NULL and for an inactive request of ours. */
int own_is_inactive(host_request request);

#endif
