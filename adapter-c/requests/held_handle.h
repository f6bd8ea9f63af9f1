/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles that persistent requests of ours use at each MPI_Start. An application may free a
 * communicator, a datatype or an operation at any time, and requests that use it go on working
 * (MPI-4.1 sections 3.9, 5.1.9, 6.9.5 and 7.4.3): the host is told once no request holds it. */
#ifndef HELD_HANDLE_H
#define HELD_HANDLE_H

#include <stdlib.h>

#include "host.h"

/* Hold a handle once more. Null handles and meaningless ones may be held. Return non-zero if memory runs out. */
int hold_comm(host_comm comm);
int hold_datatype(host_datatype datatype);
int hold_op(host_op op);

/* Hold it once less, and free it if that was put off and nothing holds it any more. */
void release_comm(host_comm comm);
void release_datatype(host_datatype datatype);
void release_op(host_op op);

/* The handles that a collective operation uses. Null handles and meaningless ones may be among them. */
struct holding {
    host_comm comm;
    host_op op;
    int count;
    const host_datatype *datatypes;
};

/* Holds all handles. Returns non-zero if memory runs out, and then holds none. */
int hold_all(const struct holding *holding);
/* Releases all handles. */
void release_all(const struct holding *holding);

/* Releases the handles of a structure that begins with a struct holding, and frees the structure. */
static inline void free_holder(void *holder)
{
    release_all(holder);
    free(holder);
}

/* Do what MPI_Comm_free, MPI_Type_free and MPI_Op_free do, and put it off while the handle is held. Return the host's code. */
int free_comm(host_comm *comm);
int free_datatype(host_datatype *datatype);
int free_op(host_op *op);

#endif
