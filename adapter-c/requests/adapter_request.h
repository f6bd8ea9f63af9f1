/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of our own: a persistent collective operation, one operation made of several of the host's, or a
 * partitioned one, which the host has no request for. Such a request has a handle in the host's type that
 * no request of the host's has, and lives in the application's arrays beside the host's.
 *
 * Completion calls know them from special_requests (retained_array.h): while it is 0 they call the host
 * directly, else the procedures below, which call the host with the requests that ours consist of. */
#ifndef ADAPTER_REQUEST_H
#define ADAPTER_REQUEST_H

#include "requests/retained_array.h"

/* Issues the host's operations of a request, in order. Parts that did not begin stay null handles. Returns the host's code. */
typedef int adapter_issue(void *arguments, host_request *parts);

/* Brings an active operation forward that is more than its parts, and never waits. Returns whether it is complete: then it
 * has filled in the status and the error, and has raised the error. Several threads may call it at once. */
typedef int adapter_poll(void *arguments, host_status *status, int *error);

/* Returns whether an active operation never ends without calls of the program's that name its request. */
typedef int adapter_wants_calls(void *arguments);

/* An operation of the adapter's own. `arguments` belong to the request; when the request is gone, `release` (may be null)
 * frees them. The operation's status is that of part `status_part`. Errors that are not the host's are raised on `comm`. */
struct adapter_operation {
    host_comm comm;
    int parts;
    int status_part;
    adapter_issue *issue;
    adapter_poll *poll;               /* may be null */
    adapter_wants_calls *wants_calls; /* may be null */
    void (*release)(void *arguments);
    void *arguments;
};

/* Begins an operation; its request is gone when all parts are complete. Returns the host's code. On failure releases the
 * arguments, once the parts that the host began are complete. */
COLD int adapter_begin(const struct adapter_operation *operation, host_request *request);

/* Creates an inactive persistent request. Returns the host's code. On failure releases the arguments. */
COLD int adapter_persistent(const struct adapter_operation *operation, host_request *request);

/* Do what the host's procedures of the same names do, for the host's requests and ours. */
COLD int adapter_wait(host_request *request, host_status *status);
COLD int adapter_test(host_request *request, int *flag, host_status *status);
COLD int adapter_waitall(int count, host_request *requests, host_status *statuses);
COLD int adapter_testall(int count, host_request *requests, int *flag, host_status *statuses);
COLD int adapter_waitany(int count, host_request *requests, int *index, host_status *status);
COLD int adapter_testany(int count, host_request *requests, int *index, int *flag, host_status *status);
COLD int adapter_waitsome(int count, host_request *requests, int *outcount, int *indices, host_status *statuses);
COLD int adapter_testsome(int count, host_request *requests, int *outcount, int *indices, host_status *statuses);
COLD int adapter_start(host_request *request);
COLD int adapter_startall(int count, host_request *requests);
COLD int adapter_cancel(host_request *request);
COLD int adapter_free(host_request *request);
COLD int adapter_get_status(host_request request, int *flag, host_status *status);

/* Fills in the host's empty status (MPI-4.1 section 3.7.3). */
COLD void adapter_empty_status(host_status *status);

/* Returns the arguments of a request of ours that `issue` begins; null for any other request. They stay the request's. */
void *adapter_arguments(host_request request, adapter_issue *issue);

/* Returns whether this is MPI_REQUEST_NULL or an inactive request of ours. */
int adapter_is_inactive(host_request request);

#endif
