/* SPDX-License-Identifier: BSD-3-Clause */
/* The C++ bindings of an application's MPI need more of its C library than MPI. A family with such bindings passes
 * functions down from adapter-c/application/<family>/ when the library is loaded. */
#ifndef LANGUAGE_H
#define LANGUAGE_H

#include "convert/adapter.h"
#include "callbacks/closure.h"

/* Before a family hands its own down, they do what MPI says. */
struct bindings {
    /* A predefined error handler may need one of the host's for each class of handles it is set on
     * (MPI_ERRORS_THROW_EXCEPTIONS of MPI-2.2 section 16.1.7). */
    host_errhandler (*errhandler_of_class)(int handle_class, app_errhandler errhandler);
    app_errhandler (*errhandler_from_class)(int handle_class, host_errhandler errhandler);
    /* Returns whether a handle is of such an error handler, and means nothing to the host. */
    int (*errhandler_is_of_classes)(app_errhandler errhandler);
    /* Returns the handle of a reduction whose function becomes known only after MPI_Op_create(); the null handle if `function`
     * is an ordinary one. */
    app_op (*op_postponed)(mpi_function *function, int commute);
    /* Returns what calls this callback of the application's; `in_c` is what would call it if it were in C. Null where all callbacks
     * are in C. */
    closure_entry *(*entry_of)(closure_entry *in_c, mpi_function *function);
};
extern HIDDEN struct bindings bindings;

/* Returns the host's error handler for a class of handles, which calls `called`. Creates it at the first call; returns null if it
 * cannot. */
HIDDEN host_errhandler errhandler_for_class(int handle_class, mpi_function *called);
/* Returns whether the host has handed out that error handler, and frees it then: the application's handle for it leads to
 * no object. */
HIDDEN int errhandler_came_back(int handle_class, host_errhandler errhandler);
/* Creates an error handler of the host's for communicators, windows or files. Returns the host's code. */
HIDDEN int errhandler_create(int handle_class, mpi_function *called, host_errhandler *made);

/* Creates a keyval of MPI_Comm, MPI_Datatype or MPI_Win from the application's callbacks (MPI-4.1 section 7.7). Returns an error
 * code of the application's. */
HIDDEN int keyval_create(int handle_class, mpi_function *copy, mpi_function *delete, int *keyval, void *state);

/* Return whether a copy function of the application's runs. If not, nothing is copied, and *flag is 0. Only a communicator that the
 * application duplicates has its attributes copied (callbacks/duplicated_comm.h); hosts duplicate datatypes and windows no more often. */
HIDDEN int is_copied_comm(host_comm from, int *flag);
static inline int is_copied_datatype(host_datatype from, int *flag) { return 1; }
static inline int is_copied_win(host_win from, int *flag) { return 1; }

/* Return the entries that call callbacks written in C: reductions, and error handlers, copy and delete functions of a class of
 * handles. */
HIDDEN closure_entry *reduction_entry(void);
HIDDEN closure_entry *error_entry(int handle_class);
HIDDEN closure_entry *copy_entry(int handle_class);
HIDDEN closure_entry *delete_entry(int handle_class);

/* The callbacks that this thread has last created an object with: one, or a copy and a delete function. Only for bindings that
 * tell a callback's language after that. */
struct noted_callback {
    closure_entry *in_c; /* what would call it if it were in C */
    mpi_function *function;
};
extern HIDDEN _Thread_local struct noted_callback noted_callbacks[2];

/* Notes a callback in the place of the first or the second. */
INLINE void note_callback(closure_entry *in_c, mpi_function *function, int is_second)
{
    if (bindings.entry_of)
        noted_callbacks[is_second] = (struct noted_callback){ in_c, function };
}

/* Notes a callback of the application's, and returns the entry that calls it. Called for each callback that an object is created
 * with, a null pointer included. */
INLINE closure_entry *callback_entry(closure_entry *in_c, mpi_function *function, int is_second)
{
    note_callback(in_c, function, is_second);
    return bindings.entry_of ? bindings.entry_of(in_c, function) : in_c;
}

#endif
