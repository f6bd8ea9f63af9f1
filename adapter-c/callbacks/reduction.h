/* SPDX-License-Identifier: BSD-3-Clause */
/* Trampolines for the program's reductions. A reduction may get any datatype that the program can use, so the duplicates of those
 * that the host lacks are made first. */
#ifndef REDUCTION_CLOSURE_H
#define REDUCTION_CLOSURE_H

#include "callbacks/closure.h"
#include "convert/distinct_datatype.h"

/* Returns the function that the host calls for a reduction of the program's. Null if out of memory. */
INLINE mpi_function *reduction_closure(closure_entry *entry, mpi_function *function)
{
    make_all_duplicates();
    return closure(entry, function);
}

/* Returns the same if reduction_closure() returned it not long ago, else null. */
INLINE mpi_function *recent_reduction_closure(mpi_function *function, closure_entry *entry)
{
    make_all_duplicates();
    return recent_closure(function, entry);
}

#endif
