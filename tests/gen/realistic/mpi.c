/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi.h"

struct ompi_predefined_t ompi_mpi_comm_world, ompi_mpi_datatypes[3], ompi_mpi_lb;
static int unweighted;
int *const MPI_UNWEIGHTED = &unweighted;
int *realistic_empty = &unweighted;
int mpi_fortran_bottom_, opal_counter, opal_internal;

int MPIR_Dup_fn(MPI_Comm comm, int keyval, void *state, void *in, void *out, int *flag)
{
    return *flag = keyval;
}

int PMPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return count;
}
#pragma weak MPI_Send = PMPI_Send
