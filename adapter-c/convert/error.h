/* SPDX-License-Identifier: BSD-3-Clause */
/* Error codes and classes, MPI-4.1 chapter 9. The application sees its own classes, and for codes
 * that it added itself numbers above its MPI_ERR_LASTCODE; a host's instance codes become the
 * class they belong to, so that every code the application holds is below MPI_LASTUSEDCODE. */
#ifndef ERROR_H
#define ERROR_H

#include "application.h"
#include "convert/types.h"
#include "host.h"

/* What a procedure of the host's returned, and a code that is data: in a status, an array of codes, or a handler's argument. */
COLD int error_to_app(int code);
COLD int code_to_app(int code);

/* Whether the host's procedure that fails with this code returns none to the application, for a handler took care of
 * the error and said so. Asked once for each failure, by error_to_app(). Handlers in C++ settle what they were called with,
 * and those with extra state. */
HIDDEN int error_is_settled(int host_code);
HIDDEN void error_settle(int host_code);
COLD int error_to_host(int code);

/* Errors that the adapter finds itself are raised where a host raises its own: on the error handler
 * of the communicator, window, file or session that the call is about, else on the one that this
 * host takes for calls about none of them (MPI-4.1 section 9.3). The object's own error comes first,
 * if it is none. Stand-ins for the host's procedures fail with its code; wrappers raise the same
 * error, and return the application's. */
COLD int fail(int host_class);
COLD int fail_comm(host_comm comm, int host_class);
COLD int fail_win(host_win win, int host_class);
COLD int fail_file(host_file file, int host_class);
COLD int fail_session(host_session session, int host_class);
COLD int raise_error(int host_class);
COLD int raise_comm(host_comm comm, int host_class);
COLD int raise_win(host_win win, int host_class);
COLD int raise_file(host_file file, int host_class);
COLD int raise_session(host_session session, int host_class);

/* Asks the host which handler it takes for calls about no object, if several threads may call MPI at a time: the handlers
 * of MPI_COMM_WORLD and MPI_COMM_SELF are others meanwhile. Must be called when the world model begins, before the program
 * may use these. Other programs pay for the question with the first such error. */
void errors_prepare(void);

/* MPI_ERR_UNSUPPORTED_OPERATION, for fail(): names the procedure once on stderr. */
COLD int unsupported(const char *procedure);
/* Is told of each such call, if anybody wants to know. */
extern HIDDEN void (*unsupported_called)(const char *procedure);

#endif
