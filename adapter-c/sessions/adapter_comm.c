/* SPDX-License-Identifier: BSD-3-Clause */
#include "sessions/adapter_comm.h"

#include "convert/host_side.h"
#include "layers/lock.h"

/* Two calls at a time need two tags: one that no program is likely to use for MPI_COMM_SELF, and one call of ours at a time. */
enum { TAG = 32749 };

static int create_comm(host_comm *comm)
{
    LOCK(adapter_comms);
    host_group self;
    host_code rc = host.MPI_Comm_group(HOST_MPI_COMM_SELF, &self);
    if (rc != 0)
        return rc;
    take_lock(adapter_comms);
    rc = host.MPI_Comm_create_group(HOST_MPI_COMM_SELF, self, TAG, comm);
    release_lock(adapter_comms);
    host.MPI_Group_free(&self);
    return rc;
}

int adapter_comm_make(host_errhandler errhandler, host_comm *comm)
{
    host_code rc = create_comm(comm);
    if (rc == 0 && (rc = host.MPI_Comm_set_errhandler(*comm, errhandler)) != 0)
        host.MPI_Comm_free(comm);
    return rc;
}
