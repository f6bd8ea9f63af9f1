/* SPDX-License-Identifier: BSD-3-Clause */
#include "callbacks/duplicated_comm.h"

#include <pthread.h>

#include "convert/host_side.h"
#include "layers/layers.h"

#define DUPLICATORS(each) \
    each(MPI_Comm_dup) each(MPI_Comm_dup_with_info) each(MPI_Comm_idup) each(MPI_Comm_idup_with_info)
LAYER_PART(duplicators, DUPLICATORS);

/* The communicator that this thread duplicates, by its bits. Copy functions and error handlers may duplicate others meanwhile. A
 * handler that leaves by longjmp() leaves its communicator here, until the next call. */
struct duplicated {
    intptr_t comm;
    int is_set;
};
static _Thread_local struct duplicated duplicated;

int is_duplicated(host_comm comm)
{
    return duplicated.is_set && duplicated.comm == (intptr_t)HOST_COMM_BITS(comm);
}

/* Begins to duplicate a communicator, and returns what was duplicated before. */
static struct duplicated begin_duplicating(host_comm comm)
{
    const struct duplicated outer = duplicated;
    duplicated = (struct duplicated){ (intptr_t)HOST_COMM_BITS(comm), 1 };
    return outer;
}

/* each
 * name                     parameters                                                                 arguments
 * MPI_Comm_dup             host_comm comm, host_comm *newcomm                                         comm, newcomm
 * MPI_Comm_dup_with_info   host_comm comm, host_info info, host_comm *newcomm                         comm, info, newcomm
 * MPI_Comm_idup            host_comm comm, host_comm *newcomm, host_request *request                  comm, newcomm, request
 * MPI_Comm_idup_with_info  host_comm comm, host_info info, host_comm *newcomm, host_request *request  comm, info, newcomm, request
 */
static int noticed_$name($parameters)
{
    const struct duplicated outer = begin_duplicating(comm);
    host_code rc = NEXT(duplicators, $name)($arguments);
    duplicated = outer;
    return rc;
}
/* end */

static void install_duplicators(void)
{
#define NOTICED(name) OVERRIDE(duplicators, name, noticed_##name),
    LAYER_INSTALL(LAYER_WORKAROUND, duplicators, DUPLICATORS(NOTICED));
}

void notice_duplicates(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_duplicators);
}
