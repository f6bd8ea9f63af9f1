/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions (MPI-4.1 section 6.9.5) and error handlers (section 9.3) written in Fortran, where the host
 * cannot call them as it calls C's: a handle that they are given is an integer. */
#include "callbacks/reduction.h"
#include "convert/distinct_datatype.h"
#include "fortran.h"

typedef void reduction(void *, void *, void *, MPI_Fint *);

__attribute__((used)) static void fortran_reduce(void *in, void *inout, void *length, host_datatype *datatype,
                                                 reduction *function)
{
    MPI_Fint integer = datatype_to_fortran(distinct_datatype_to_app(*datatype));
    function(in, inout, length, &integer);
}
CLOSURE_ENTRY_5(fortran_reduce_entry, fortran_reduce)

int create_op(int is_large, mpi_function *function, int commute, app_op *op)
{
    host_op made;
    mpi_function *called = reduction_closure(fortran_reduce_entry, function);
    if (!called)
        return raise_error(HOST_MPI_ERR_NO_MEM);
    int rc = is_large ? host.MPI_Op_create_c(called, commute, &made) : host.MPI_Op_create(called, commute, &made);
    if (rc != 0)
        return error_to_app(rc);
    *op = op_to_app(made);
    return 0;
}

typedef void handler(MPI_Fint *, MPI_Fint *, ...);

/* each
 * class
 * comm
 * win
 * file
 * session
 */
__attribute__((used)) static void fortran_${class}_error(host_$class *handle, int *code, handler *function)
{
    MPI_Fint integer = ${class}_to_fortran(${class}_to_app(*handle)), error = error_to_app(*code);
    function(&integer, &error);
}

CLOSURE_ENTRY_3(fortran_${class}_error_entry, fortran_${class}_error)
/* end */

typedef int create_function(mpi_function *, host_errhandler *);

int create_errhandler(int handle_class, mpi_function *function, app_errhandler *errhandler)
{
    static closure_entry *const entries[] = {
        [CLASS_COMM] = fortran_comm_error_entry, [CLASS_WIN] = fortran_win_error_entry,
        [CLASS_FILE] = fortran_file_error_entry, [CLASS_SESSION] = fortran_session_error_entry
    };
    create_function *const creates[] = {
        [CLASS_COMM] = host.MPI_Comm_create_errhandler, [CLASS_WIN] = host.MPI_Win_create_errhandler,
        [CLASS_FILE] = host.MPI_File_create_errhandler, [CLASS_SESSION] = host.MPI_Session_create_errhandler
    };
    host_errhandler made;
    mpi_function *called = closure(entries[handle_class], function);
    if (!called)
        return raise_error(HOST_MPI_ERR_NO_MEM);
    int rc = creates[handle_class](called, &made);
    if (rc != 0)
        return error_to_app(rc);
    *errhandler = errhandler_to_app(made);
    return 0;
}
