/* SPDX-License-Identifier: BSD-3-Clause */
/* The exports of Open MPI's modules mpi and mpi_f08. mpi_f08_types defines the types until 4.1, mpi_types since 5.0. */
#include "module.h"
#include "module_callbacks.h"

/* ---------------------------------------------------------------- types */

MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_comm, 4, 73600949)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_datatype, 4, 86896269)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_errhandler, 4, 15118478)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_file, 4, 70760613)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_group, 4, 20619574)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_info, 4, 53436151)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_message, 4, 90857150)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_op, 4, 68037098)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_request, 4, 92555974)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_status, 24, 3872507)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_win, 4, 58701395)
MODULE_TYPE(mpi_f08_types, __iso_c_binding_C_funptr, 8, 0)
MODULE_TYPE(mpi_f08_types, __iso_c_binding_C_ptr, 8, 0)
MODULE_TYPE(mpi_types, mpi_types_Mpi_comm, 4, 65123268)
MODULE_TYPE(mpi_types, mpi_types_Mpi_datatype, 4, 29694876)
MODULE_TYPE(mpi_types, mpi_types_Mpi_errhandler, 4, 15295773)
MODULE_TYPE(mpi_types, mpi_types_Mpi_file, 4, 62282932)
MODULE_TYPE(mpi_types, mpi_types_Mpi_group, 4, 84906471)
MODULE_TYPE(mpi_types, mpi_types_Mpi_info, 4, 44958470)
MODULE_TYPE(mpi_types, mpi_types_Mpi_message, 4, 93716975)
MODULE_TYPE(mpi_types, mpi_types_Mpi_op, 4, 62794105)
MODULE_TYPE(mpi_types, mpi_types_Mpi_request, 4, 95415799)
MODULE_TYPE(mpi_types, mpi_types_Mpi_session, 4, 44324094)
MODULE_TYPE(mpi_types, mpi_types_Mpi_status, 24, 13675146)
MODULE_TYPE(mpi_types, mpi_types_Mpi_win, 4, 12067460)

/* ---------------------------------------------------------------- operators */

#define OPERATORS(class)                                                                           \
    COMPARES(mpi_f08_types, ompi_##class##_op_eq, handle_eq)                                       \
    COMPARES(mpi_f08_types, ompi_##class##_op_ne, handle_ne)                                       \
    COMPARES(mpi_types, ompi_##class##_op_eq, handle_eq)                                           \
    COMPARES(mpi_types, ompi_##class##_op_ne, handle_ne)
OPERATORS(comm)
OPERATORS(datatype)
OPERATORS(errhandler)
OPERATORS(file)
OPERATORS(group)
OPERATORS(info)
OPERATORS(message)
OPERATORS(op)
OPERATORS(request)
OPERATORS(win)

/* ---------------------------------------------------------------- callbacks */

CALLBACKS(F08_CALLBACK)
F08_CALLBACK(conversion_fn_null, , convert_nothing)

/* ---------------------------------------------------------------- MPI_SIZEOF
 * One procedure for each type and rank, also by the profiling interface. */

#define ONE_RANK(type, rank)                                                                       \
    ALIAS(mpi_sizeof_##type##_##rank##_, sizeof_##type)                                            \
    ALIAS(pmpi_sizeof_##type##_##rank##_, sizeof_##type)

/* each
 * type        bytes
 * character   1
 * logical     4
 * int8        1
 * int16       2
 * int32       4
 * int64       8
 * real32      4
 * real64      8
 * real128     16
 * complex32   8
 * complex64   16
 * complex128  32
 */
static void sizeof_$type(const void *x, MPI_Fint *size, MPI_Fint *ierror)
{
    set_size(size, $bytes, ierror);
}
ONE_RANK($type, scalar)
ONE_RANK($type, r1)
ONE_RANK($type, r2)
ONE_RANK($type, r3)
ONE_RANK($type, r4)
ONE_RANK($type, r5)
ONE_RANK($type, r6)
ONE_RANK($type, r7)
ONE_RANK($type, r8)
ONE_RANK($type, r9)
ONE_RANK($type, r10)
ONE_RANK($type, r11)
ONE_RANK($type, r12)
ONE_RANK($type, r13)
ONE_RANK($type, r14)
ONE_RANK($type, r15)
/* end */

/* ---------------------------------------------------------------- MPI_F_SYNC_REG
 * Hides a buffer from the compiler (MPI-4.1 section 19.1.16): the call is all that is wanted. */

MANGLED(mpi_f_sync_reg, MPI_F_SYNC_REG, do_nothing)
MANGLED(pmpi_f_sync_reg, PMPI_F_SYNC_REG, do_nothing)
ALIAS(MPI_F_sync_reg_f, do_nothing)
ALIAS(PMPI_F_sync_reg_f, do_nothing)
ALIAS(MPI_F_sync_reg_f08, do_nothing)
ALIAS(PMPI_F_sync_reg_f08, do_nothing)
ALIAS(mpi_f_sync_reg_f08_, do_nothing)
ALIAS(pmpi_f_sync_reg_f08_, do_nothing)
ALIAS(mpi_f_sync_reg_f08ts_, do_nothing)
ALIAS(pmpi_f_sync_reg_f08ts_, do_nothing)
ALIAS(ompi_f_sync_reg_f, do_nothing)

/* ---------------------------------------------------------------- of Open MPI's own
 * Exported by its libraries; of no use to a program, but a linker may have recorded them. */

EXPORTED char ompi_intercept_extra_state_t_class[64] __attribute__((aligned(16)));

ALIAS(mpiext_pcollreq_mpifh_dummy, do_nothing)
