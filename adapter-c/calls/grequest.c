/* SPDX-License-Identifier: BSD-3-Clause */
/* Generalized requests, MPI-4.1 section 13.2. */
#include <stdlib.h>

#include "convert/adapter.h"

/* A generalized request's callbacks; freed with the request. */
struct grequest {
    int (*query)(void *, app_status *);
    int (*free)(void *);
    int (*cancel)(void *, int);
    void *state;
};

static int grequest_query(void *state, host_status *status)
{
    const struct grequest *grequest = state;
    app_status converted = { 0 };
    status_to_app(&converted, status);
    int rc = grequest->query(grequest->state, &converted);
    if (status != HOST_MPI_STATUS_IGNORE) {
        int error = status->MPI_ERROR;
        status_to_host(status, &converted);
        status->MPI_ERROR = error;
    }
    return error_to_host(rc);
}

static int grequest_free(void *state)
{
    struct grequest *grequest = state;
    int rc = grequest->free(grequest->state);
    free(grequest);
    return error_to_host(rc);
}

static int grequest_cancel(void *state, int complete)
{
    const struct grequest *grequest = state;
    return error_to_host(grequest->cancel(grequest->state, complete));
}

PROCEDURE(int, MPI_Grequest_start, int (*query)(void *, app_status *), int (*release)(void *),
          int (*cancel)(void *, int), void *state, app_request *request)
{
    struct grequest *grequest = malloc(sizeof *grequest);
    if (!grequest)
        return raise_error(HOST_MPI_ERR_NO_MEM);
    *grequest = (struct grequest){ query, release, cancel, state };
    host_request made;
    int rc = host.MPI_Grequest_start((mpi_function *)grequest_query, (mpi_function *)grequest_free,
                                     (mpi_function *)grequest_cancel, grequest, request ? &made : 0);
    if (rc != 0) {
        free(grequest);
        return error_to_app(rc);
    }
    *request = request_to_app(made);
    return 0;
}
