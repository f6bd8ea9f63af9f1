/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of datatypes of collective operations: converted, and retained as other arrays are. */
#ifndef RETAINED_DATATYPES_H
#define RETAINED_DATATYPES_H

#include <string.h>

#include "convert.h"
#include "convert/array_length.h"
#include "convert/room.h"
#include "convert/significant.h"
#include "requests/retained_array.h"

/* Puts a datatype that has elements into the places of those that have none. */
__attribute__((noinline, unused)) static void replace_ignored(host_datatype *its, const char *elements, size_t size, int count)
{
    static const MPI_Count none;
    host_datatype used = IGNORED_DATATYPE;
    for (int i = 0; i < count; i++)
        used = memcmp(elements + (size_t)i * size, &none, size) == 0 ? used : its[i];
    for (int i = 0; i < count; i++)
        its[i] = memcmp(elements + (size_t)i * size, &none, size) == 0 ? used : its[i];
}

/* Converts `count` datatypes. There may be anything for one of no elements, and hosts differ in whether they look at it: MPICH does in
 * place, and fails if its size is not that of the others. So there, one that has elements stands for it. `elements` has a number of `size`
 * bytes for each. A null `its` stays null. */
INLINE void convert_datatypes(host_datatype *its, const app_datatype *handles, const void *elements, size_t size, int count,
                              const void *sendbuf)
{
    static const MPI_Count none;
    for (int i = 0; its && i < count; i++) {
        int is_none = elements && memcmp((const char *)elements + (size_t)i * size, &none, size) == 0;
        its[i] = unlikely(is_none) ? IGNORED_DATATYPE : datatype_to_host(handles[i]);
    }
    if (unlikely(sendbuf == APP_MPI_IN_PLACE) && its && elements)
        replace_ignored(its, elements, size, count);
}

/* Stages an array of datatypes (convert/stage.h) with the numbers of elements, of a procedure with this send buffer. */
static inline host_datatype *staged_datatypes(host_datatype *local, const app_datatype *handles, const void *elements, size_t size,
                                              int count, const void *sendbuf)
{
    host_datatype *staged = handles ? stage_room(local, count, sizeof *staged) : 0;
    convert_datatypes(staged, handles, elements, size, count, sendbuf);
    return staged;
}

/* Does the same with an array that may be retained, and adds it to `*arrays`. A null array stays null. Returns null if memory runs
 * out. */
static inline host_datatype *retained_datatypes(void **arrays, const app_datatype *handles, const void *elements, size_t size,
                                                int count, const void *sendbuf)
{
    host_datatype *staged = handles ? retained_room(arrays, count > 0 ? (size_t)count * sizeof *staged : 1) : 0;
    convert_datatypes(staged, handles, elements, size, count, sendbuf);
    return staged;
}

/* Return how many datatypes the host reads (MPI-4.1 sections 6.8 and 8.6.4), by the application's send buffer. */
static inline int send_peers(const void *sendbuf, host_comm comm)
{
    return sendbuf == APP_MPI_IN_PLACE ? 0 : peers(comm);
}
static inline int recv_peers(const void *sendbuf, host_comm comm)
{
    return peers(comm);
}
static inline int out_neighbors(const void *sendbuf, host_comm comm)
{
    return neighbors_out(comm);
}
static inline int in_neighbors(const void *sendbuf, host_comm comm)
{
    return neighbors_in(comm);
}

#endif
