/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbols that the modules of the ABI declare besides MPI's procedures: operators of handles, predefined callbacks,
 * MPI_SIZEOF, MPI_F_SYNC_REG. All are external procedures, so that they depend on no compiler. */
#include "fortran.h"
#include "module_callbacks.h"

#define PROFILED(name, target) ALIAS(mpi_##name##_, target) ALIAS(pmpi_##name##_, target)

/* ---------------------------------------------------------------- operators: LOGICALs of the program's compiler */

static inline MPI_Fint handles_equal(const MPI_Fint *left, const MPI_Fint *right)
{
    return logical_to_fortran(*left == *right);
}

static inline MPI_Fint handles_differ(const MPI_Fint *left, const MPI_Fint *right)
{
    return logical_to_fortran(*left != *right);
}

#define OPERATORS(CLASS, class, Name)                                                              \
    ALIAS(mpi_adapter_##class##_eq_, handles_equal) ALIAS(mpi_adapter_##class##_ne_, handles_differ)
HANDLE_CLASSES(OPERATORS)

/* ---------------------------------------------------------------- statuses: one layout in all languages */

static inline void convert_status(const app_status *from, app_status *to, MPI_Fint *ierror)
{
    *to = *from;
    set_ierror(ierror, 0);
}
PROFILED(status_f2f08, convert_status)
PROFILED(status_f082f, convert_status)

/* ---------------------------------------------------------------- callbacks */

#define EXTERNAL_CALLBACK(name, NAME, function) PROFILED(name, function)
CALLBACKS(EXTERNAL_CALLBACK)
MPI1_CALLBACKS(EXTERNAL_CALLBACK, duplicate_integer)
PROFILED(conversion_fn_null, convert_nothing)

/* A function of its own: programs may compare it with the other. */
static inline void convert_nothing_large(void *user, const MPI_Fint *datatype, const void *count, void *file,
                                         const MPI_Offset *position, const MPI_Aint *state, MPI_Fint *ierror)
{
    *ierror = 0;
}
PROFILED(conversion_fn_null_c, convert_nothing_large)

/* ---------------------------------------------------------------- MPI_SIZEOF: a procedure for each type */

/* each
 * type       bytes
 * character  1
 * logical1   1
 * logical2   2
 * logical4   4
 * logical8   8
 * integer1   1
 * integer2   2
 * integer4   4
 * integer8   8
 * integer16  16
 * real2      2
 * real4      4
 * real8      8
 * real10     16
 * real16     16
 * complex2   4
 * complex4   8
 * complex8   16
 * complex10  32
 * complex16  32
 */
static void sizeof_$type(const void *x, MPI_Fint *size, MPI_Fint *ierror)
{
    set_size(size, $bytes, ierror);
}
PROFILED(sizeof_$type, sizeof_$type)
/* end */

/* ---------------------------------------------------------------- MPI_F_SYNC_REG
 * Hides a buffer from the compiler (MPI-4.1 section 19.1.16): the call is all that is wanted. */

PROFILED(f_sync_reg, do_nothing)
PROFILED(f_sync_reg_f08ts, do_nothing)
