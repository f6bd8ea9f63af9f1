/* SPDX-License-Identifier: BSD-3-Clause */
/* With -DHOST, a library that stands before the host's and answers some calls as no MPI does: NONSENSE names the call. Without, a program that
 * makes these calls. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HOST

static int lies(const char *call)
{
    const char *nonsense = getenv("NONSENSE");
    return nonsense && strcmp(nonsense, call) == 0;
}

int MPI_Get_version(int *version, int *subversion)
{
    int rc = PMPI_Get_version(version, subversion);
    if (lies("version"))
        *version = 2;
    return rc;
}

int MPI_Waitsome(int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[])
{
    int rc = PMPI_Waitsome(count, requests, outcount, indices, statuses);
    if (lies("some"))
        *outcount = count + 1;
    return rc;
}

int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    int rc = PMPI_Waitany(count, requests, index, status);
    if (lies("any"))
        *index = count;
    return rc;
}

int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag)
{
    int rc = PMPI_Comm_get_attr(comm, keyval, value, flag);
    if (lies("attribute") && keyval == MPI_IO)
        *(void **)value = 0;
    return rc;
}

#else

int main(int argc, char **argv)
{
    MPI_Request requests[2];
    int sent = 1, received = 0, outcount = 0, indices[2], index = -1, flag = 0, *value = 0;
    MPI_Init(&argc, &argv);
    for (int some = 0; some < 2; some++) {
        MPI_Irecv(&received, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[0]);
        MPI_Isend(&sent, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[1]);
        if (some)
            MPI_Waitsome(2, requests, &outcount, indices, MPI_STATUSES_IGNORE);
        else
            MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &flag);
    puts(received == 1 && outcount > 0 && index >= 0 && (!flag || value) ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}

#endif
