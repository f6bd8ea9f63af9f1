/* SPDX-License-Identifier: BSD-3-Clause */
/* Generalized requests, MPI-4.1 section 13.2. */
#include <stdlib.h>

#include "convert/adapter.h"

/* A generalized request's callbacks, each of which may be null: it is then not called. Freed with the request. */
struct grequest {
    int (*query)(void *, app_status *);
    int (*free)(void *);
    int (*cancel)(void *, int);
    void *state;
};

/* The status of a request that has no function for it. */
static void set_empty(host_status *status)
{
    if (status == HOST_MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = HOST_MPI_ANY_SOURCE;
    status->MPI_TAG = HOST_MPI_ANY_TAG;
    host.MPI_Status_set_elements(status, HOST_MPI_BYTE, 0);
    host.MPI_Status_set_cancelled(status, 0);
}

static int grequest_query(void *state, host_status *status)
{
    const struct grequest *grequest = state;
    app_status converted = { 0 };
    if (!grequest->query) {
        set_empty(status);
        return HOST_MPI_SUCCESS;
    }
    if (status == HOST_MPI_STATUS_IGNORE)
        return error_to_host(grequest->query(grequest->state, &converted));
    int error = status->MPI_ERROR;
    status_to_app(&converted, status);
    int rc = grequest->query(grequest->state, &converted);
    status_to_host(status, &converted);
    status->MPI_ERROR = error;
    return error_to_host(rc);
}

static int grequest_free(void *state)
{
    struct grequest *grequest = state;
    int rc = grequest->free ? grequest->free(grequest->state) : APP_MPI_SUCCESS;
    free(grequest);
    return error_to_host(rc);
}

static int grequest_cancel(void *state, int complete)
{
    const struct grequest *grequest = state;
    return error_to_host(grequest->cancel ? grequest->cancel(grequest->state, complete) : APP_MPI_SUCCESS);
}

PROCEDURE(app_code, MPI_Grequest_start, int (*query)(void *, app_status *), int (*release)(void *),
          int (*cancel)(void *, int), void *state, app_request *request)
{
    struct grequest *grequest = malloc(sizeof *grequest);
    if (!grequest)
        return raise_error(HOST_MPI_ERR_NO_MEM);
    *grequest = (struct grequest){ query, release, cancel, state };
    host_request made;
    host_code rc = host.MPI_Grequest_start((mpi_function *)grequest_query, (mpi_function *)grequest_free,
                                     (mpi_function *)grequest_cancel, grequest, request ? &made : 0);
    if (rc != 0) {
        free(grequest);
        return error_to_app(rc);
    }
    *request = request_to_app(made);
    return 0;
}
