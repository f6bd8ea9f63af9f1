/* SPDX-License-Identifier: BSD-3-Clause */
/* What the C++ bindings of an application's MPI need of its C library besides MPI. A family that has
 * such bindings overrides these functions in adapter-c/application/<family>/; elsewhere the weak
 * definitions serve, which know nothing but MPI. */
#ifndef LANGUAGE_H
#define LANGUAGE_H

#include "convert/adapter.h"
#include "keep/closure.h"

/* A predefined error handler may need one of the host's for each class of handles it is set on
 * (MPI_ERRORS_THROW_EXCEPTIONS of MPI-2.2 section 16.1.7). */
HIDDEN host_errhandler errhandler_of_class(int handle_class, app_errhandler errhandler);
HIDDEN app_errhandler errhandler_from_class(int handle_class, host_errhandler errhandler);
/* Whether a handle is of such an error handler, and means nothing to the host. */
HIDDEN int errhandler_is_of_classes(app_errhandler errhandler);
/* The host's for a class of handles, which calls `called`; made at the first call, and null if it cannot be. */
HIDDEN host_errhandler errhandler_for_class(int handle_class, mpi_function *called);
/* Whether the host has handed that one out, which is freed then: what the application gets for it leads to no object. */
HIDDEN int errhandler_came_back(int handle_class, host_errhandler errhandler);
/* A new error handler of the host's for communicators, windows or files. Returns the host's code. */
HIDDEN int errhandler_create(int handle_class, mpi_function *called, host_errhandler *made);

/* A reduction whose function becomes known only after MPI_Op_create(): its handle, or the null
 * handle if `function` is an ordinary one. */
HIDDEN app_op op_postponed(mpi_function *function, int commute);
/* A handle that MPI_Op_free() was given. */
HIDDEN void op_freed(app_op op);

/* A new keyval of MPI_Comm, MPI_Datatype or MPI_Win, from the application's callbacks. */
HIDDEN int keyval_create(int handle_class, mpi_function *copy, mpi_function *delete, int *keyval, void *state);

/* What callbacks written in C are called by: reductions, and error handlers, copies and deletions of a class of
 * handles. */
HIDDEN closure_entry *reduction_entry(void);
HIDDEN closure_entry *error_entry(int handle_class);
HIDDEN closure_entry *copy_entry(int handle_class);
HIDDEN closure_entry *delete_entry(int handle_class);

/* What this callback of the application's is called by, where `in_c` is what it would be called by if it were in C: asked
 * for each one that something is created with, a null pointer included, the second one of a call apart. Null in families
 * whose bindings do not say so. */
typedef closure_entry *callback_teller(closure_entry *in_c, mpi_function *function, int is_second);
extern HIDDEN callback_teller *const tell_callback;

INLINE closure_entry *callback_entry(closure_entry *in_c, mpi_function *function, int is_second)
{
    return tell_callback ? tell_callback(in_c, function, is_second) : in_c;
}

#endif
