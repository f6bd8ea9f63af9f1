/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of datatypes of collective operations: converted, and retained as other arrays are. */
#ifndef RETAINED_DATATYPES_H
#define RETAINED_DATATYPES_H

#include "convert.h"
#include "keep/retained_array.h"

/* Converts a call's array of `count` datatypes into an array that may be retained, and adds it to `*arrays`. A null array
 * stays null. Returns null if memory runs out. */
static inline host_datatype *retained_datatypes(void **arrays, const app_datatype *handles, int count)
{
    host_datatype *staged = handles ? retained_room(arrays, count > 0 ? (size_t)count * sizeof *staged : 1) : 0;
    for (int i = 0; staged && i < count; i++)
        staged[i] = datatype_to_host(handles[i]);
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
