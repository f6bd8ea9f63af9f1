/* SPDX-License-Identifier: BSD-3-Clause */
/* Error codes and classes, MPI-4.1 chapter 9. The application sees its own classes, and for codes
 * that it added itself numbers above its MPI_ERR_LASTCODE; a host's instance codes become the
 * class they belong to, so that every code the application holds is below MPI_LASTUSEDCODE. */
#ifndef ERROR_H
#define ERROR_H

#include "convert/types.h"
#include "host.h"

/* error_to_app() converts the return code of a host call. code_to_app() converts a code found in data: a status, an array
 * of codes, a handler's argument. error_to_host() converts a code of the application's. */
COLD app_code error_to_app(host_code code);
COLD app_code code_to_app(host_code code);
COLD host_code error_to_host(app_code code);

/* Asks the host for a code's class. Returns non-zero, and raises no error, if the code is none of MPI's: Open MPI returns negative
 * numbers of its own now and then, and takes a question for their class for an error. */
static inline int ask_class(host_code code, host_code *class)
{
    return (int)code < 0 ? HOST_MPI_ERR_ARG : host.MPI_Error_class(code, class);
}

/* Returns whether a handler settled this error, so that the failed procedure returns MPI_SUCCESS to the application.
 * error_to_app() asks once for each failure. */
HIDDEN int error_is_settled(host_code code);

/* Settles the error of this code. Handlers in C++, and those with extra state, do so for the code that they were called with. */
HIDDEN void error_settle(host_code code);

/* Raise an error that the adapter found, where a host raises its own: on the error handler of the communicator, window, file or
 * session that the call is about, else on the one that this host takes for calls about none of them (MPI-4.1 section 9.3). If the
 * handle is no object, its own error comes first. Return the code to return: the host's, as stand-ins for its procedures do, or
 * the application's from raise_error_in(), for wrappers.
 *
 * If the handler is fatal, one line on stderr names the procedure. The name comes from the function that raises the error; a
 * helper without MPI_X in its own name passes the procedure's to fail_X_in(), if it knows it. */
COLD host_code fail_in(host_code host_class, const char *function);
COLD host_code fail_comm_in(host_comm comm, host_code host_class, const char *function);
COLD host_code fail_win_in(host_win win, host_code host_class, const char *function);
COLD host_code fail_file_in(host_file file, host_code host_class, const char *function);
COLD host_code fail_session_in(host_session session, host_code host_class, const char *function);
COLD app_code raise_error_in(host_code host_class, const char *function);
#define fail(host_class) fail_in(host_class, __func__)
#define fail_comm(comm, host_class) fail_comm_in(comm, host_class, __func__)
#define fail_win(win, host_class) fail_win_in(win, host_class, __func__)
#define fail_file(file, host_class) fail_file_in(file, host_class, __func__)
#define fail_session(session, host_class) fail_session_in(session, host_class, __func__)

/* MPI has no error class for messages: MPICH and Open MPI report a wrong one as a request (MPI-4.1 section 9.4). */
#define HOST_MPI_ERR_MESSAGE HOST_MPI_ERR_REQUEST

/* Holds the class, and the offset of the function's name from error_no_name, in one number. So the compiler keeps a wrapper's
 * arguments in the registers that they come in, and the library has nothing to relocate. */
extern HIDDEN const char error_no_name[];
#define RAISED(host_class) ((uint64_t)((uintptr_t)__func__ - (uintptr_t)error_no_name) << 32 | (uint32_t)(host_code){ host_class })

/* Raise an error in a wrapper, as above; return the application's code. */
COLD app_code raise_error_as(uint64_t raised);
COLD app_code raise_comm_as(host_comm comm, uint64_t raised);
COLD app_code raise_win_as(host_win win, uint64_t raised);
COLD app_code raise_file_as(host_file file, uint64_t raised);
COLD app_code raise_session_as(host_session session, uint64_t raised);
#ifndef FORTRAN_LIBRARY
#define raise_error(host_class) raise_error_as(RAISED(host_class))
#define raise_comm(comm, host_class) raise_comm_as(comm, RAISED(host_class))
#define raise_win(win, host_class) raise_win_as(win, RAISED(host_class))
#define raise_file(file, host_class) raise_file_as(file, RAISED(host_class))
#define raise_session(session, host_class) raise_session_as(session, RAISED(host_class))
#endif

/* Returns whether MPI is initialized, and not finalized: the world model. */
COLD int mpi_is_running(void);

/* Asks the host which handler it takes for calls about no object, if several threads may call MPI at a time: the handlers
 * of MPI_COMM_WORLD and MPI_COMM_SELF are others meanwhile. Must be called when the world model begins, before the program
 * may use these. Other programs pay for the question with the first such error. */
void errors_prepare(void);

/* Names the procedure once on stderr, and returns MPI_ERR_UNSUPPORTED_OPERATION, for fail(). */
COLD host_code unsupported(const char *procedure);
/* Calls `report` from now on with each such procedure. */
void unsupported_report(void (*report)(const char *procedure));

#endif
