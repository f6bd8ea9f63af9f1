/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that uses MPI, and that programs load and unload again. */
#include <mpi.h>

int use_mpi(MPI_Comm comm)
{
    int size = -1, bytes = -1, wrong = 0;
    MPI_Datatype type;
    wrong += MPI_Comm_size(comm, &size) != MPI_SUCCESS || size < 1;
    wrong += MPI_Type_contiguous(3, MPI_INT, &type) != MPI_SUCCESS;
    wrong += MPI_Type_size(type, &bytes) != MPI_SUCCESS || bytes != 3 * (int)sizeof(int);
    wrong += MPI_Type_free(&type) != MPI_SUCCESS || type != MPI_DATATYPE_NULL;
    return wrong;
}
