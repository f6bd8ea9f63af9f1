/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors that are found before the library for C is called. */
#include "fortran.h"

/* each
 * class
 * comm
 * win
 * session
 */
int raise_$class(app_$class object, int error_class)
{
    if (object == APP_NULL_$class)
        return raise_error(error_class);
    direct_MPI_${Class}_call_errhandler(object, error_class);
    return error_class;
}
/* end */

/* MPI_FILE_NULL has a handler, too. */
int raise_file(app_file file, int error_class)
{
    direct_MPI_File_call_errhandler(file, error_class);
    return error_class;
}

int raise_error(int error_class)
{
    direct_MPI_Comm_call_errhandler(APP_MPI_COMM_SELF, error_class);
    return error_class;
}
