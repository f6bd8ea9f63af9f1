/* SPDX-License-Identifier: BSD-3-Clause */
/* The exports of MPICH's modules mpi and mpi_f08, and how its Fortran library knows the constants
 * that are addresses:
 *
 *                        mpif.h, use mpi     use mpi_f08
 *   MPI_BOTTOM           mpipriv1_           MPIR_F08_MPI_BOTTOM
 *   MPI_IN_PLACE         mpipriv1_ + 4       MPIR_F08_MPI_IN_PLACE
 *   MPI_STATUS_IGNORE    mpipriv1_ + 8       MPIR_F08_MPI_STATUS_IGNORE_OBJ
 *   MPI_STATUSES_IGNORE  mpipriv2_           MPIR_F08_MPI_STATUSES_IGNORE_OBJ
 *   MPI_ERRCODES_IGNORE  mpipriv2_ + 20      __mpi_f08_link_constants_MOD_mpi_errcodes_ignore
 *   MPI_UNWEIGHTED       mpifcmb5_           __mpi_f08_link_constants_MOD_mpi_unweighted
 *   MPI_WEIGHTS_EMPTY    mpifcmb9_           __mpi_f08_link_constants_MOD_mpi_weights_empty
 *   MPI_BUFFER_AUTOMATIC mpifcmba_           __mpi_f08_link_constants_MOD_mpi_buffer_automatic
 *   MPI_ARGV_NULL        mpiprivc_ + 1       __mpi_f08_link_constants_MOD_mpi_argv_null
 *   MPI_ARGVS_NULL       mpiprivc_           __mpi_f08_link_constants_MOD_mpi_argvs_null
 *
 * The first are common blocks, which the executable has too; of the others it has copies. Either way
 * the dynamic linker decides whose addresses count, so they are read where it wrote them.
 * The objects MPIR_F08_... and the common blocks are generated. */
#include "module.h"
#include "module_callbacks.h"

/* ---------------------------------------------------------------- constants */

EXPORTED MPI_Fint __mpi_f08_link_constants_MOD_mpi_errcodes_ignore[1], __mpi_f08_link_constants_MOD_mpi_unweighted[1],
    __mpi_f08_link_constants_MOD_mpi_weights_empty[1], __mpi_f08_link_constants_MOD_mpi_buffer_automatic;
EXPORTED char __mpi_f08_link_constants_MOD_mpi_argv_null[1], __mpi_f08_link_constants_MOD_mpi_argvs_null[1];

/* The same in programs of Intel's compilers. */
EXPORTED MPI_Fint mpi_f08_link_constants_mp_mpi_errcodes_ignore_[1], mpi_f08_link_constants_mp_mpi_unweighted_[1],
    mpi_f08_link_constants_mp_mpi_weights_empty_[1];
EXPORTED char mpi_f08_link_constants_mp_mpi_argv_null_[1], mpi_f08_link_constants_mp_mpi_argvs_null_[1];

extern EXPORTED char mpipriv1_[], mpipriv2_[], mpiprivc_[], mpifcmb5_[], mpifcmb9_[], mpifcmba_[];
extern EXPORTED void *MPI_F_STATUS_IGNORE, *MPI_F_STATUSES_IGNORE;

/* The addresses of mpif.h's constants, as the Fortran library learns them when it is initialized. Here they are set from the start. */
EXPORTED void *MPIR_F_MPI_BOTTOM = mpipriv1_, *MPIR_F_MPI_IN_PLACE = mpipriv1_ + 4,
    *MPIR_F_MPI_UNWEIGHTED = mpifcmb5_, *MPIR_F_MPI_WEIGHTS_EMPTY = mpifcmb9_,
    *MPIR_F_MPI_BUFFER_AUTOMATIC = mpifcmba_, *MPI_F_ERRCODES_IGNORE = mpipriv2_ + 20,
    *MPI_F_ARGV_NULL = mpiprivc_ + 1, *MPI_F_ARGVS_NULL = mpiprivc_;
EXPORTED int MPIR_F_NeedInit = 1;

/* Initializes Fortran's side, so that also a C program that hands MPI_F_STATUS_IGNORE on finds it.
 * MPICH hands the addresses of the constants to mpirinitc_, in an order that depends on the release:
 * they can only be those known here. */
static __attribute__((constructor)) void initialize_fortran(void)
{
    MPI_F_STATUS_IGNORE = mpipriv1_ + 8;
    MPI_F_STATUSES_IGNORE = mpipriv2_;
    MPIR_F_NeedInit = 0;
}
ALIAS(mpirinitf_, initialize_fortran)
ALIAS(mpirinitc_, initialize_fortran)
ALIAS(mpirinitc2_, initialize_fortran)

/* ---------------------------------------------------------------- types */

MODULE_TYPE(mpi_c_interface_types, mpi_c_interface_types_C_status, 20, 52916655)
MODULE_TYPE(mpi_constants, mpi_constants_Mpi_comm, 4, 41315982)
MODULE_TYPE(mpi_constants, mpi_constants_Mpi_datatype, 4, 48485222)
MODULE_TYPE(mpi_constants, mpi_constants_Mpi_errhandler, 4, 39840743)
MODULE_TYPE(mpi_constants, mpi_constants_Mpi_file, 4, 33442942)
MODULE_TYPE(mpi_constants, mpi_constants_Mpi_group, 4, 74059165)
MODULE_TYPE(mpi_constants, mpi_constants_Mpi_info, 4, 21151184)
MODULE_TYPE(mpi_constants, mpi_constants_Mpi_message, 4, 13592485)
MODULE_TYPE(mpi_constants, mpi_constants_Mpi_op, 4, 49666883)
MODULE_TYPE(mpi_constants, mpi_constants_Mpi_request, 4, 15291309)
MODULE_TYPE(mpi_constants, mpi_constants_Mpi_session, 4, 64199604)
MODULE_TYPE(mpi_constants, mpi_constants_Mpi_status, 20, 5819988)
MODULE_TYPE(mpi_constants, mpi_constants_Mpi_win, 4, 37378874)
MODULE_TYPE(mpi_constants, mpi_constants_Mpix_stream, 4, 35735940)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_comm, 4, 73600949)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_datatype, 4, 86896269)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_errhandler, 4, 15118478)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_file, 4, 70760613)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_group, 4, 20619574)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_info, 4, 53436151)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_message, 4, 90857150)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_op, 4, 68037098)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_request, 4, 92555974)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_session, 4, 41464269)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_status, 20, 3872507)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpi_win, 4, 58701395)
MODULE_TYPE(mpi_f08_types, mpi_f08_types_Mpix_stream, 4, 13000605)
MODULE_TYPE(mpi_c_interface_types, __iso_c_binding_C_funptr, 8, 0)
MODULE_TYPE(mpi_c_interface_types, __iso_c_binding_C_ptr, 8, 0)

/* ---------------------------------------------------------------- operators and conversions
 * Names that end in ne_f or ne_f08, in assgn and of mpi_type are MPICH 3.4's, or Intel MPI's. */

/* each
 * handle      type
 * comm        mpi_comm
 * datatype    mpi_datatype
 * errhandler  mpi_errhandler
 * file        mpi_file
 * group       mpi_group
 * info        mpi_info
 * message     mpi_message
 * op          mpi_op
 * request     mpi_request
 * session     mpi_session
 * stream      mpix_stream
 * win         mpi_win
 */
COMPARES(mpi_constants, ${handle}eq, handle_eq)
COMPARES(mpi_constants, ${handle}neq, handle_ne)
COMPARES(mpi_f08_types, ${type}_eq, handle_eq)
COMPARES(mpi_f08_types, ${type}_neq, handle_ne)
COMPARES(mpi_f08_types, ${type}_f08_eq_f, handle_eq)
COMPARES(mpi_f08_types, ${type}_f08_neq_f, handle_ne)
COMPARES(mpi_f08_types, ${type}_f_eq_f08, handle_eq)
COMPARES(mpi_f08_types, ${type}_f_neq_f08, handle_ne)
/* end */

/* each
 * type
 * mpi_comm
 * mpi_datatype
 * mpi_errhandler
 * mpi_file
 * mpi_group
 * mpi_info
 * mpi_message
 * mpi_op
 * mpi_request
 * mpi_session
 * mpi_win
 */
COMPARES(mpi_f08_types, ${type}_f08_ne_f, handle_ne)
COMPARES(mpi_f08_types, ${type}_f_ne_f08, handle_ne)
/* end */

/* MPI_Comm_f2c and its like for C_COMM of the module mpi_c_interface_types: handles of C are the
 * same integers. Those of files are C's procedures. */
static inline int same_integer(int handle) { return handle; }

#define CONVERSIONS(CLASS)                                                                         \
    IN_MODULE(mpi_f08_types, CLASS##_c2f, same_integer)                                            \
    IN_MODULE(mpi_f08_types, CLASS##_f2c, same_integer)
CONVERSIONS(mpi_comm)
CONVERSIONS(mpi_datatype)
CONVERSIONS(mpi_errhandler)
CONVERSIONS(mpi_group)
CONVERSIONS(mpi_info)
CONVERSIONS(mpi_message)
CONVERSIONS(mpi_op)
CONVERSIONS(mpi_request)
CONVERSIONS(mpi_session)
CONVERSIONS(mpi_win)
CONVERSIONS(mpix_stream)
CONVERSIONS(mpi_type)

/* Intel MPI's procedures that give a handle as C's integer: it is Fortran's. */
static inline void handle_to_integer(const MPI_Fint *handle, MPI_Fint *value) { *value = *handle; }

#define TO_INTEGER(name, NAME)                                                                     \
    MANGLED(mpi_##name##_toint, MPI_##NAME##_TOINT, handle_to_integer)                             \
    MANGLED(pmpi_##name##_toint, PMPI_##NAME##_TOINT, handle_to_integer)
TO_INTEGER(comm, COMM)
TO_INTEGER(errhandler, ERRHANDLER)
TO_INTEGER(file, FILE)
TO_INTEGER(group, GROUP)
TO_INTEGER(info, INFO)
TO_INTEGER(message, MESSAGE)
TO_INTEGER(op, OP)
TO_INTEGER(request, REQUEST)
TO_INTEGER(session, SESSION)
TO_INTEGER(type, TYPE)
TO_INTEGER(win, WIN)

/* A status has one layout: as C's structure, as TYPE(MPI_Status) and as an array. */
struct status {
    MPI_Fint words[5];
};

static inline void assign_status(struct status *to, const struct status *from) { *to = *from; }
IN_MODULE(mpi_f08_types, mpi_status_c_assign_f08, assign_status)
IN_MODULE(mpi_f08_types, mpi_status_f08_assign_c, assign_status)
IN_MODULE(mpi_f08_types, mpi_status_c_assgn_f08, assign_status)
IN_MODULE(mpi_f08_types, mpi_status_f08_assgn_c, assign_status)
IN_MODULE(mpi_f08_types, mpi_status_c_assgn_f, assign_status)
IN_MODULE(mpi_f08_types, mpi_status_f_assgn_c, assign_status)
IN_MODULE(mpi_f08_types, pmpi_win_c2f, same_integer)

static inline void convert_status(const struct status *from, struct status *to, MPI_Fint *ierror)
{
    *to = *from;
    if (ierror != 0)
        *ierror = 0;
}
#define STATUS_CONVERSION(name)                                                                    \
    IN_MODULE(mpi_f08_types, mpi_##name, convert_status)                                           \
    IN_MODULE(mpi_f08_types, pmpi_##name, convert_status)
STATUS_CONVERSION(status_f2f08)
STATUS_CONVERSION(status_f082f)
STATUS_CONVERSION(status_c2f08)
STATUS_CONVERSION(status_f082c)

/* ---------------------------------------------------------------- callbacks */

#define MPIF_CALLBACK(name, NAME, function)                                                        \
    MANGLED(mpi_##name, MPI_##NAME, function) MANGLED(pmpi_##name, PMPI_##NAME, function)
CALLBACKS(MPIF_CALLBACK)
MPI1_CALLBACKS(MPIF_CALLBACK, duplicate_attribute)
CALLBACKS(F08_CALLBACK)
MPIF_CALLBACK(conversion_fn_null, CONVERSION_FN_NULL, convert_nothing)
F08_CALLBACK(conversion_fn_null, , convert_nothing)
F08_CALLBACK(conversion_fn_null_c, , convert_nothing)

/* ---------------------------------------------------------------- MPI_SIZEOF */

/* each
 * type  bytes
 * ch    1
 * ch1   1
 * l     4
 * l4    4
 * i     4
 * i1    1
 * i2    2
 * i4    4
 * i8    8
 * r     4
 * r4    4
 * r8    8
 * d     8
 * cx    8
 * cx8   8
 * cx16  16
 */
static void sizeof_$type(const void *x, MPI_Fint *size, MPI_Fint *ierror)
{
    set_size(size, $bytes, ierror);
}
IN_MODULE(mpi_sizeofs, mpi_sizeof_$type, sizeof_$type)
IN_MODULE(mpi_sizeofs, mpi_sizeof_${type}v, sizeof_$type)
/* end */

/* each
 * type         bytes
 * character    1
 * logical      4
 * xint8        1
 * xint16       2
 * xint32       4
 * xint64       8
 * xreal32      4
 * xreal64      8
 * xreal128     16
 * xcomplex32   8
 * xcomplex64   16
 * xcomplex128  32
 */
static void sizeof_$type(const void *x, MPI_Fint *size, MPI_Fint *ierror)
{
    set_size(size, $bytes, ierror);
}
IN_MODULE(mpi_f08_types, mpi_sizeof_$type, sizeof_$type)
/* end */

/* ---------------------------------------------------------------- MPI_F_SYNC_REG
 * Hides a buffer from the compiler (MPI-4.1 section 19.1.16): the call is all that is wanted. */

MANGLED(mpi_f_sync_reg, MPI_F_SYNC_REG, do_nothing)
MANGLED(pmpi_f_sync_reg, PMPI_F_SYNC_REG, do_nothing)
ALIAS(mpi_f_sync_reg_f08ts_, do_nothing)
ALIAS(pmpir_f_sync_reg_f08ts_, do_nothing)
