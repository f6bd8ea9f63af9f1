/* SPDX-License-Identifier: BSD-3-Clause */
/* Setting and getting error handlers, MPI-4.1 section 9.3. */
#include "calls/language.h"

__attribute__((weak)) host_errhandler errhandler_of_class(int handle_class, app_errhandler errhandler)
{
    return errhandler_to_host(errhandler);
}

__attribute__((weak)) app_errhandler errhandler_from_class(int handle_class, host_errhandler errhandler)
{
    return errhandler_to_app(errhandler);
}

#define ERRHANDLERS(CLASS, class, Class, set, get)                                                 \
    PROCEDURE(int, set, app_##class handle, app_errhandler errhandler)                             \
    {                                                                                              \
        host_errhandler converted = errhandler_of_class(CLASS_##CLASS, errhandler);                \
        int rc = host.MPI_##Class##_set_errhandler(class##_to_host(handle), converted);            \
        return rc == 0 ? 0 : error_to_app(rc);                                                     \
    }                                                                                              \
    PROCEDURE(int, get, app_##class handle, app_errhandler *errhandler)                            \
    {                                                                                              \
        host_errhandler found = HOST_MPI_ERRHANDLER_NULL;                                          \
        int rc = host.MPI_##Class##_get_errhandler(class##_to_host(handle), errhandler ? &found : 0); \
        if (rc != 0)                                                                               \
            return error_to_app(rc);                                                               \
        *errhandler = errhandler_from_class(CLASS_##CLASS, found);                                 \
        return 0;                                                                                  \
    }

ERRHANDLERS(COMM, comm, Comm, MPI_Comm_set_errhandler, MPI_Comm_get_errhandler)
ERRHANDLERS(COMM, comm, Comm, MPI_Errhandler_set, MPI_Errhandler_get)
ERRHANDLERS(FILE, file, File, MPI_File_set_errhandler, MPI_File_get_errhandler)
ERRHANDLERS(WIN, win, Win, MPI_Win_set_errhandler, MPI_Win_get_errhandler)
