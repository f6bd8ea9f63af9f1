/* SPDX-License-Identifier: BSD-3-Clause */
/* Error codes and classes, MPI-4.1 chapter 9. The application sees its own classes, and for codes
 * that it added itself numbers above its MPI_ERR_LASTCODE; a host's instance codes become the
 * class they belong to, so that every code the application holds is below MPI_LASTUSEDCODE. */
#ifndef ERROR_H
#define ERROR_H

#include "application.h"
#include "convert/types.h"
#include "host.h"

/* error_to_app() converts the return code of a host call. code_to_app() converts a code found in data: a status, an array of codes, a
 * handler's argument. */
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
 * error, and return the application's.
 *
 * If the handler is fatal, one line on stderr names the procedure. The name comes from the function that raises the error; a
 * helper without MPI_X in its own name passes the procedure's to fail_X_in(), if it knows it. */
COLD int fail_in(int host_class, const char *function);
COLD int fail_comm_in(host_comm comm, int host_class, const char *function);
COLD int fail_win_in(host_win win, int host_class, const char *function);
COLD int fail_file_in(host_file file, int host_class, const char *function);
COLD int fail_session_in(host_session session, int host_class, const char *function);
COLD int raise_error_in(int host_class, const char *function);
#define fail(host_class) fail_in(host_class, __func__)
#define fail_comm(comm, host_class) fail_comm_in(comm, host_class, __func__)
#define fail_win(win, host_class) fail_win_in(win, host_class, __func__)
#define fail_file(file, host_class) fail_file_in(file, host_class, __func__)
#define fail_session(session, host_class) fail_session_in(session, host_class, __func__)

/* MPI has no error class for messages: MPICH and Open MPI report a wrong one as a request (MPI-4.1 section 9.4). */
#define HOST_MPI_ERR_MESSAGE HOST_MPI_ERR_REQUEST

/* Of wrappers. With one number for the class and where the function's name lies, seen from error_no_name, the compiler keeps their
 * arguments in the registers that they come in, and the library has nothing to relocate. */
extern HIDDEN const char error_no_name[];
#define RAISED(host_class) ((uint64_t)((uintptr_t)__func__ - (uintptr_t)error_no_name) << 32 | (uint32_t)(host_class))
COLD int raise_error_as(uint64_t raised);
COLD int raise_comm_as(host_comm comm, uint64_t raised);
COLD int raise_win_as(host_win win, uint64_t raised);
COLD int raise_file_as(host_file file, uint64_t raised);
COLD int raise_session_as(host_session session, uint64_t raised);
#ifndef FORTRAN_LIBRARY
#define raise_error(host_class) raise_error_as(RAISED(host_class))
#define raise_comm(comm, host_class) raise_comm_as(comm, RAISED(host_class))
#define raise_win(win, host_class) raise_win_as(win, RAISED(host_class))
#define raise_file(file, host_class) raise_file_as(file, RAISED(host_class))
#define raise_session(session, host_class) raise_session_as(session, RAISED(host_class))
#endif

/* Asks the host which handler it takes for calls about no object, if several threads may call MPI at a time: the handlers
 * of MPI_COMM_WORLD and MPI_COMM_SELF are others meanwhile. Must be called when the world model begins, before the program
 * may use these. Other programs pay for the question with the first such error. */
void errors_prepare(void);

/* MPI_ERR_UNSUPPORTED_OPERATION, for fail(): names the procedure once on stderr. */
COLD int unsupported(const char *procedure);
/* From now on `report` is called with each such procedure. */
void unsupported_report(void (*report)(const char *procedure));

#endif
