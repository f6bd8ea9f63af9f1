/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of large counts. */
#include "convert/host_side.h"
#include "callbacks/closure.h"
#include "layers/built.h"

/* A reduction that takes a large count, called with the host's int. */
typedef void large_reduction(void *, void *, MPI_Count *, host_datatype *);

__attribute__((used)) static void reduce_large(void *in, void *inout, int *length, host_datatype *datatype,
                                               large_reduction *function)
{
    MPI_Count large = *length;
    function(in, inout, &large, datatype);
}
CLOSURE_ENTRY_5(reduce_large_entry, reduce_large)

host_code built_MPI_Op_create_c(mpi_function *user_fn, int commute, host_op *op)
{
    mpi_function *called = user_fn ? closure(reduce_large_entry, user_fn) : 0;
    if (user_fn && !called) {
        raise_error(HOST_MPI_ERR_NO_MEM);
        return HOST_MPI_ERR_NO_MEM;
    }
    return host.MPI_Op_create(called, commute, op);
}
