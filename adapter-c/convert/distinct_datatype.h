/* SPDX-License-Identifier: BSD-3-Clause */
/* Predefined datatypes that a host lacks, and in whose place the program uses another one of the host's (MPI_INT8_T for
 * MPI_LOGICAL1). Where a datatype comes back from the host, as a part of another one or as an argument of a callback, it must
 * be the one that went in. There the host gets a duplicate of the other datatype, by which it is told apart. */
#ifndef DISTINCT_DATATYPE_H
#define DISTINCT_DATATYPE_H

#include "convert/adapter.h"
#include "convert/life.h"

#if HAS_DATATYPE_STAND_INS

/* Returns the duplicate for a datatype that another one stands in for, and makes it at the first call. */
COLD HIDDEN host_datatype distinct_duplicate(app_datatype datatype);
COLD HIDDEN void make_duplicates_of(uint32_t life);
/* Makes all duplicates. */
INLINE void make_all_duplicates(void)
{
    extern HIDDEN uint32_t all_duplicates_made; /* the life whose operations find them all made */
    uint32_t now = life();
    if (unlikely(__atomic_load_n(&all_duplicates_made, __ATOMIC_ACQUIRE) != now))
        make_duplicates_of(now);
}
/* Frees the duplicates when MPI ends: MPICH warns of datatypes that are left. */
COLD HIDDEN void distinct_datatypes_end(void);

/* Returns whether another datatype stands in for this one. */
INLINE int has_distinct_datatype(app_datatype datatype)
{
    return datatype_upper_half(datatype) != 0;
}

/* Returns the host's datatype, or the duplicate, for calls that keep a datatype or hand it on. No predefined operation takes a
 * duplicate. */
INLINE host_datatype distinct_datatype(app_datatype datatype)
{
    return unlikely(has_distinct_datatype(datatype)) ? distinct_duplicate(datatype) : datatype_to_host(datatype);
}

/* Returns the application's datatype for one of the host's, which may be a duplicate. */
HIDDEN app_datatype distinct_datatype_to_app(host_datatype datatype);

/* Returns the host's datatype for a reduction: the duplicate if the operation is the program's, so that its function gets
 * the datatype that went in. The duplicates exist by then, because whoever made the operation has called
 * make_all_duplicates(). */
INLINE host_datatype reduced_datatype(app_datatype datatype, app_op op)
{
    if (!datatype_is_predefined(datatype))
        return datatype_to_host(datatype);
    const int32_t *half = datatype_halves(datatype);
    if (unlikely(!op_is_predefined(op)) && half[1] != 0)
        half++;
    return HOST_DATATYPE_FROM(*half);
}

#else
/* Do the same for an ABI whose datatypes all hosts have. */
INLINE void make_all_duplicates(void) {}
INLINE void distinct_datatypes_end(void) {}
INLINE int has_distinct_datatype(app_datatype datatype) { return 0; }
INLINE host_datatype distinct_datatype(app_datatype datatype) { return datatype_to_host(datatype); }
INLINE app_datatype distinct_datatype_to_app(host_datatype datatype) { return datatype_to_app(datatype); }
INLINE host_datatype reduced_datatype(app_datatype datatype, app_op op) { return datatype_to_host(datatype); }
#endif

/* Replaces elements of `its`, the host's datatypes of the array `datatypes`, by their duplicates. `its` may be null. */
INLINE void distinguish_datatypes(host_datatype *its, const app_datatype *datatypes, MPI_Count count)
{
    for (MPI_Count i = 0; HAS_DATATYPE_STAND_INS && its && i < count; i++)
        its[i] = distinct_datatype(datatypes[i]);
}

#endif
