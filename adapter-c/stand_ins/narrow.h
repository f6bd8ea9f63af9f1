/* SPDX-License-Identifier: BSD-3-Clause */
/* Large counts for a host whose procedures take int counts. A count that does not fit becomes one
 * of a derived datatype, which stands for that many elements; arrays of counts and displacements
 * are copied into arrays of int. */
#ifndef NARROW_H
#define NARROW_H

#include <limits.h>
#include <stdlib.h>

#include "host.h"
#include "keep/held_handle.h"
#include "keep/retained_array.h"

/* The largest count given to the host. Tests set a small one. */
#ifndef NARROW_MAX
#define NARROW_MAX INT_MAX
#endif

struct narrow {
    int count;
    host_datatype datatype;
    int made; /* the datatype is ours to free */
};

/* The extent of a datatype; 0 if it is none. */
MPI_Aint narrow_extent(host_datatype datatype);

/* A committed datatype of `count` elements of `datatype`, with that extent. */
COLD int narrow_datatype(MPI_Count count, host_datatype datatype, host_datatype *made);

/* A count that the host takes as it is; a negative one stays negative. */
static inline int narrow_count(MPI_Count count)
{
    return unlikely(count < 0) ? -1 : (int)count;
}

/* Fills `n`; returns an error code. Where nobody looks at the count it must be given as 0. The call that
 * follows raises the error of a null handle, on its own object. */
static inline int narrow(struct narrow *n, MPI_Count count, host_datatype datatype)
{
    *n = (struct narrow){ narrow_count(count), datatype, 0 };
    if (likely(count <= NARROW_MAX))
        return 0;
    if (HOST_DATATYPE_BITS(datatype) == HOST_DATATYPE_BITS(HOST_MPI_DATATYPE_NULL)) {
        n->count = NARROW_MAX;
        return 0;
    }
    host_code rc = narrow_datatype(count, datatype, &n->datatype);
    n->made = rc == 0;
    n->count = 1;
    return rc;
}

/* After the call: operations that go on keep their datatypes alive, or requests of ours hold them. */
static inline void narrow_done(struct narrow *n)
{
    if (unlikely(n->made))
        free_datatype(&n->datatype);
}

/* Copies an array of counts or displacements, which joins `arrays` for retain(); a null array stays null. Returns 0, -1
 * if one of them does not fit, or HOST_MPI_ERR_NO_MEM. */
COLD int narrow_array(void **arrays, int **copy, const void *values, int length);

#endif
