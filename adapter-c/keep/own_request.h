/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of our own: a persistent collective operation, one operation made of several of the host's, or a
 * partitioned one, which the host has no request for. Such a request has a handle in the host's type that
 * no request of the host's has, and lives in the application's arrays beside the host's.
 *
 * Completion calls know them from special_requests (retain.h): while it is 0 they call the host
 * directly, else the procedures below, which call the host with the requests that ours consist of. */
#ifndef OWN_REQUEST_H
#define OWN_REQUEST_H

#include "keep/retained_array.h"

/* Issues the host's operations of a request, in order. Parts that did not begin stay null handles. */
typedef int own_issue(void *arguments, host_request *parts);

/* Brings an active operation forward that is more than its parts, and never waits: true once it is complete, when
 * it has filled in the status and the error, which it has raised. Several threads may ask at once. */
typedef int own_poll(void *arguments, host_status *status, int *error);

/* True of an active operation that never ends without calls of the program's that name its request. */
typedef int own_wants_calls(void *arguments);

/* An operation of the adapter's own. `arguments` belong to the request; when the request is gone, `release` (may be null) frees them. The
 * operation's status is that of part `status_part`. Errors that are not the host's are raised on `comm`. */
struct own_operation {
    host_comm comm;
    int parts;
    int status_part;
    own_issue *issue;
    own_poll *poll;               /* may be null, */
    own_wants_calls *wants_calls; /* and so may this */
    void (*release)(void *arguments);
    void *arguments;
};

/* Begins an operation; its request is gone when all parts are complete. On failure the arguments are
 * released, once the parts are complete that the host did begin. */
COLD int own_begin(const struct own_operation *operation, host_request *request);

/* An inactive persistent request. On failure the arguments are released. */
COLD int own_persistent(const struct own_operation *operation, host_request *request);

/* The host's procedures of the same names, for the host's requests and ours. */
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
COLD void own_empty_status(host_status *status);

/* The arguments of the request of ours that `issue` begins; null for any other request. */
void *own_arguments(host_request request, own_issue *issue);

/* True for MPI_REQUEST_NULL and for an inactive request of ours. */
int own_is_inactive(host_request request);

#endif
