/* SPDX-License-Identifier: BSD-3-Clause */
/* Error codes and classes, MPI-4.1 chapter 9. The application sees its own classes, and for codes
 * that it added itself numbers above its MPI_ERR_LASTCODE; a host's instance codes become the
 * class they belong to, so that every code the application holds is below MPI_LASTUSEDCODE. */
#ifndef ERROR_H
#define ERROR_H

#include "application.h"
#include "host.h"

COLD int error_to_app(int code);
COLD int error_to_host(int code);

/* The highest code of the application's that is in use (the value of MPI_LASTUSEDCODE). */
int error_last_used(void);

/* Raises a host's error class on MPI_COMM_SELF's error handler (or the given handle's), and
 * returns it as the application's code if the handler returns. */
COLD int raise_error(int host_class);

/* For stand-ins, in the host's types: name the procedure once on stderr, raise
 * MPI_ERR_UNSUPPORTED_OPERATION on the handle's error handler, and return it. */
COLD int unsupported(const char *procedure);
COLD int unsupported_comm(const char *procedure, host_comm comm);
COLD int unsupported_win(const char *procedure, host_win win);
COLD int unsupported_file(const char *procedure, host_file file);
COLD int unsupported_session(const char *procedure, host_session session);

/* One line on stderr, as "mpi-adapter: what; what to do". */
COLD void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, then the process ends with status 1. */
COLD void give_up(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
