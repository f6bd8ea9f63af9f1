/* SPDX-License-Identifier: BSD-3-Clause */
/* Large counts for a host whose procedures take int counts. A count that does not fit becomes one
 * of a derived datatype, which stands for that many elements; arrays of counts and displacements
 * are copied into arrays of int. */
#ifndef NARROW_H
#define NARROW_H

#include <limits.h>
#include <stdlib.h>

#include "convert/array_length.h"
#include "host.h"
#include "requests/held_handle.h"
#include "requests/retained_array.h"

/* The largest count given to the host. Tests set a small one. */
#ifndef NARROW_MAX
#define NARROW_MAX INT_MAX
#endif

struct narrow {
    int count;
    host_datatype datatype;
    int made; /* the datatype is ours to free */
};

/* Returns whether the handle is MPI_DATATYPE_NULL. */
static inline int is_null_datatype(host_datatype datatype)
{
    return HOST_DATATYPE_BITS(datatype) == HOST_DATATYPE_BITS(HOST_MPI_DATATYPE_NULL);
}

/* Frees a datatype of the adapter's, unless the handle is MPI_DATATYPE_NULL. */
void drop_datatype(host_datatype *datatype);

/* Returns the extent of a datatype, in bytes; 0 if the handle is no datatype. */
MPI_Aint narrow_extent(host_datatype datatype);

/* Makes and commits a datatype of `count` elements of `datatype`, with their extent. The caller frees it. Returns the
 * host's code. */
COLD int narrow_datatype(MPI_Count count, host_datatype datatype, host_datatype *made);

/* Returns a count that fits as an int; -1 for any negative one. */
static inline int narrow_count(MPI_Count count)
{
    return unlikely(count < 0) ? -1 : (int)count;
}

/* Fills `n` for a host's call, by a derived datatype if the count is too large. Returns the host's code. If the call
 * ignores the count, it must be 0. Leaves the error of a null handle to the call, which raises it on its own object. */
static inline int narrow(struct narrow *n, MPI_Count count, host_datatype datatype)
{
    *n = (struct narrow){ narrow_count(count), datatype, 0 };
    if (likely(count <= NARROW_MAX))
        return 0;
    if (is_null_datatype(datatype)) {
        n->count = NARROW_MAX;
        return 0;
    }
    host_code rc = narrow_datatype(count, datatype, &n->datatype);
    n->made = rc == 0;
    n->count = 1;
    return rc;
}

/* Frees the derived datatype after the call. Operations that go on keep it alive, or requests of ours hold it. */
static inline void narrow_done(struct narrow *n)
{
    if (unlikely(n->made))
        free_datatype(&n->datatype);
}

/* Copies an array of counts or displacements as ints, and adds the copy to `arrays` for retain_arrays(). A null array stays null.
 * Returns 0; -1 if an element does not fit; or HOST_MPI_ERR_NO_MEM. */
COLD int narrow_array(void **arrays, int **copy, const void *values, int length);

#endif
