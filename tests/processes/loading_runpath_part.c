/* SPDX-License-Identifier: BSD-3-Clause */
/* A part of a host, whose function is RUN: its slots lead where the host's do, and its calls of MPI work. It then calls NEXT, of a
 * library that it was linked with. */
#include <mpi.h>
#include <stdio.h>

typedef int host_function(MPI_Comm, int *);

int RUN(MPI_Comm comm, host_function *of_host);
#ifdef NEXT
int NEXT(MPI_Comm comm, host_function *of_host);
#endif

/* In data: an absolute relocation. */
host_function *in_table = PMPI_Comm_rank;

#define TEXT(x) #x
#define NAME(x) TEXT(x)

int RUN(MPI_Comm comm, host_function *of_host)
{
    int rank = -1, size = -1;
    if (in_table != of_host || PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS || MPI_Type_size(MPI_DOUBLE, &size) != MPI_SUCCESS ||
        rank != 0 || size != 8) {
        fprintf(stderr, "%s: calls do not reach the host\n", NAME(RUN));
        return MPI_ERR_OTHER;
    }
#ifdef NEXT
    return NEXT(comm, of_host);
#else
    return MPI_SUCCESS;
#endif
}
