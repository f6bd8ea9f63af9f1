/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators. */
#include "convert/host_side.h"
#include "layers/built.h"

/* The hints are advice; the copy has the communicator's own. */
host_code built_MPI_Comm_idup_with_info(host_comm comm, host_info info, host_comm *newcomm, host_request *request)
{
    return host.MPI_Comm_idup(comm, newcomm, request);
}
