/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions (MPI-4.1 section 6.9.5) and error handlers (section 9.3) written in Fortran: a handle that C gives them is
 * an integer there. */
#include "fortran.h"
#include "callbacks/closure.h"

typedef void reduction(void *, void *, void *, MPI_Fint *);

__attribute__((used)) static void fortran_reduce(void *in, void *inout, void *length, app_datatype *datatype,
                                                 reduction *function)
{
    MPI_Fint integer = datatype_to_fortran(*datatype);
    function(in, inout, length, &integer);
}
CLOSURE_ENTRY_5(fortran_reduce_entry, fortran_reduce)

int create_op(int is_large, mpi_function *function, int commute, app_op *op)
{
    mpi_function *called = closure(fortran_reduce_entry, function);
    if (!called)
        return raise_error(APP_MPI_ERR_NO_MEM);
    return is_large ? CALL(MPI_Op_create_c)(called, commute, op) : CALL(MPI_Op_create)(called, commute, op);
}

typedef void handler(MPI_Fint *, MPI_Fint *, ...);

/* each
 * class
 * comm
 * win
 * file
 * session
 */
__attribute__((used)) static void fortran_${class}_error(app_$class *handle, int *code, handler *function)
{
    MPI_Fint integer = ${class}_to_fortran(*handle), error = *code;
    function(&integer, &error);
}

CLOSURE_ENTRY_3(fortran_${class}_error_entry, fortran_${class}_error)
/* end */

int create_errhandler(enum error_object object, mpi_function *function, app_errhandler *errhandler)
{
    static const struct {
        closure_entry *entry;
        int (*create)(mpi_function *, app_errhandler *);
    } ways[] = {
        [ON_COMM] = { fortran_comm_error_entry, CALL(MPI_Comm_create_errhandler) },
        [ON_WIN] = { fortran_win_error_entry, CALL(MPI_Win_create_errhandler) },
        [ON_FILE] = { fortran_file_error_entry, CALL(MPI_File_create_errhandler) },
        [ON_SESSION] = { fortran_session_error_entry, CALL(MPI_Session_create_errhandler) }
    };
    mpi_function *called = closure(ways[object].entry, function);
    return called ? ways[object].create(called, errhandler) : raise_error(APP_MPI_ERR_NO_MEM);
}
