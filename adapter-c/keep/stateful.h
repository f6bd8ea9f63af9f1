/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations and error handlers that are made of a callback, a state for it and a destructor, which is called with
 * the state once nothing refers to the object any more. No host tells when that is, so references are counted: of an
 * operation its handle, which is held while a request may use it (held_handle.h); of an error handler its handles, and
 * the communicators, windows, files and sessions that have it.
 *
 * From the first such object on, LAYER_LIFETIME overrides the procedures that make or end a reference; a program without one
 * pays nothing. */
#ifndef STATEFUL_H
#define STATEFUL_H

#include "host.h"
#include "convert/types.h"

struct stateful;

/* One of a state for MPI_Op or MPI_Errhandler (CLASS_...), which is no object of the host's yet; null if memory is
 * lacking. */
struct stateful *stateful_make(int handle_class, mpi_function *function, mpi_function *destroy, void *state);

/* It is the host's of these bits, and has one reference: its handle. Or it came to nothing: nothing is destroyed. */
void stateful_publish(struct stateful *stateful, intptr_t bits);
void stateful_discard(struct stateful *stateful);

/* Returns the function that a callback calls, and its state. Returns null if it was destroyed already, as happens when a pending operation
 * of a freed communicator calls its handler. */
mpi_function *stateful_function(const struct stateful *stateful, void **state);

/* In the places of the host's procedures, after a call of theirs that succeeded: a request that may use an operation; and a
 * new communicator, which has its parent's error handler, or, as the host does not copy it always, the one that the host says
 * it has. Of a communicator that is not complete the host may not be asked. */
void stateful_used(host_op op, const host_request *request);
void stateful_comm_made(host_comm made);
void stateful_comm_begun(host_comm parent, host_comm made);

/* Generated: installs the part of the layer that overrides procedures which use operations or make communicators. */
void stateful_install_entries(void);

#endif
