/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of a communicator's attribute that count their calls. Values are copied. */
#ifndef COUNTED_ATTRIBUTES_H
#define COUNTED_ATTRIBUTES_H

#include <mpi.h>

static int copies, deletes;

static int copy_comm(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_comm(MPI_Comm comm, int keyval, void *value, void *extra)
{
    deletes++;
    return MPI_SUCCESS;
}

#endif
