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

/* Creates the record of an MPI_Op or MPI_Errhandler (CLASS_OP, CLASS_ERRHANDLER) that is no object of the host's yet.
 * Returns null if memory runs out. */
struct stateful *stateful_make(int handle_class, mpi_function *function, mpi_function *destroy, void *state);

/* stateful_publish() gives the record the bits of the host's object, and one reference: the handle. stateful_discard()
 * frees the record of an object that could not be made, and calls no destructor. */
void stateful_publish(struct stateful *stateful, intptr_t bits);
void stateful_discard(struct stateful *stateful);

/* Returns the function that a callback calls, and sets *state to its state. Returns null if these were destroyed already,
 * as happens when a pending operation of a freed communicator calls its handler. */
mpi_function *stateful_function(const struct stateful *stateful, void **state);

/* Count references after the host's procedures succeeded. stateful_used(): the request may use the operation.
 * stateful_comm_made(): the new communicator has the error handler that the host returns for it, which need not be its
 * parent's. stateful_comm_begun(): it will have its parent's; the host may not be asked about a communicator that is not
 * complete. */
void stateful_used(host_op op, const host_request *request);
void stateful_comm_made(host_comm made);
void stateful_comm_begun(host_comm parent, host_comm made);

/* Installs the part of the layer that overrides procedures which use operations or make communicators. Generated. */
void stateful_install_entries(void);

#endif
