/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool of the host's ABI that plays a host whose first nonblocking send fails, and whose first test of a request: the
 * error handler is invoked before the call returns. */
#include <mpi.h>

static int sends, tests;
static MPI_Comm sent_in;

static int fails(MPI_Comm comm)
{
    PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    return MPI_ERR_OTHER;
}

int MPI_Isend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    sent_in = comm;
    return sends++ == 0 ? fails(comm) : PMPI_Isend(buf, count, type, dest, tag, comm, request);
}

#if MPI_VERSION >= 4
int MPI_Isend_c(const void *buf, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    sent_in = comm;
    return sends++ == 0 ? fails(comm) : PMPI_Isend_c(buf, count, type, dest, tag, comm, request);
}
#endif

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    if (*request == MPI_REQUEST_NULL || tests++ > 0)
        return PMPI_Test(request, flag, status);
    PMPI_Wait(request, MPI_STATUS_IGNORE);
    *flag = 1;
    return fails(sent_in);
}
