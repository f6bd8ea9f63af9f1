/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/language.h"

/* The functions of MPI itself, for families without such bindings. */

static host_errhandler same_errhandler(int handle_class, app_errhandler errhandler)
{
    return errhandler_to_host(errhandler);
}

static app_errhandler same_errhandler_back(int handle_class, host_errhandler errhandler)
{
    return errhandler_to_app(errhandler);
}

static int is_never_of_classes(app_errhandler errhandler)
{
    return 0;
}

static app_op postpone_none(mpi_function *function, int commute)
{
    return APP_MPI_OP_NULL;
}

_Thread_local struct noted_callback noted_callbacks[2];
struct bindings bindings = { same_errhandler, same_errhandler_back, is_never_of_classes, postpone_none, 0 };
