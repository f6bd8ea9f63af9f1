/* SPDX-License-Identifier: BSD-3-Clause */
/* The base of a Fortran library for an ABI that has none of its own: the ABI's library for C, whoever made that,
 * and nothing but its exported procedures. In the Fortran libraries of a pair, base/share.h has the same of the adapter. */
#ifndef ALONE_H
#define ALONE_H

#include "application.h"
#include "convert/room.h"
#include "convert/say.h"
#include "isolate/fortran_sentinels.h"

#define HANDLE_CLASSES(X)                                                                          \
    X(COMM, comm, Comm) X(DATATYPE, datatype, Type) X(ERRHANDLER, errhandler, Errhandler)          \
    X(FILE, file, File) X(GROUP, group, Group) X(INFO, info, Info) X(MESSAGE, message, Message)    \
    X(OP, op, Op) X(REQUEST, request, Request) X(SESSION, session, Session) X(WIN, win, Win)

/* Not every library of the ABI has the procedures that MPI-2.0 replaced; their replacements do the same. */
#define MPI_Attr_delete MPI_Comm_delete_attr
#define MPI_Attr_get MPI_Comm_get_attr
#define MPI_Attr_put MPI_Comm_set_attr
#define MPI_Keyval_create MPI_Comm_create_keyval
#define MPI_Keyval_free MPI_Comm_free_keyval

/* Begin MPI, and tell a library for C that was built without a Fortran compiler about Fortran. */
#define MPI_Init(argc, argv) begin_MPI_Init(argc, argv)
#define MPI_Init_thread(argc, argv, required, provided) begin_MPI_Init_thread(argc, argv, required, provided)
#define MPI_Session_init(info, errhandler, session) begin_MPI_Session_init(info, errhandler, session)
HIDDEN int begin_MPI_Init(int *argc, char ***argv);
HIDDEN int begin_MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
HIDDEN int begin_MPI_Session_init(app_info info, app_errhandler errhandler, app_session *session);

/* Errors found here are raised by the ABI's own procedures. */
#define HOST_MPI_ERR_NO_MEM APP_MPI_ERR_NO_MEM
#define HOST_MPI_ERR_BUFFER APP_MPI_ERR_BUFFER

/* Raise an error of a class on an object, or without one on MPI_COMM_SELF, and return the class. */
COLD HIDDEN int raise_error(int error_class);
COLD HIDDEN int raise_comm(app_comm comm, int error_class);
COLD HIDDEN int raise_win(app_win win, int error_class);
COLD HIDDEN int raise_file(app_file file, int error_class);
COLD HIDDEN int raise_session(app_session session, int error_class);

/* Make, read and free a cell, as in base/cells.h. */
HIDDEN void *new_cell(MPI_Aint value);
HIDDEN MPI_Aint value_of(const void *attribute);
HIDDEN void free_cell(void *attribute);

/* The classes of objects whose errors a handler is called for. */
enum error_object { ON_COMM, ON_WIN, ON_FILE, ON_SESSION };
/* Make an operation, or an error handler, of a Fortran procedure. Return an error code. */
HIDDEN int create_op(int is_large, mpi_function *function, int commute, app_op *op);
HIDDEN int create_errhandler(enum error_object object, mpi_function *function, app_errhandler *errhandler);

/* Return how many processes a collective operation sends to and receives from, by its send buffer and communicator. */
HIDDEN int send_peers(const void *sendbuf, app_comm comm);
HIDDEN int recv_peers(const void *sendbuf, app_comm comm);
HIDDEN int in_neighbors(const void *sendbuf, app_comm comm);
HIDDEN int out_neighbors(const void *sendbuf, app_comm comm);

#endif
