/* SPDX-License-Identifier: BSD-3-Clause */
/* The predefined callbacks of Fortran (MPI-4.1 sections 7.7 and 14.5.3): ordinary subroutines, which
 * programs hand to MPI_COMM_CREATE_KEYVAL, or call. In mpi_f08 they take the same arguments. */
#ifndef MODULE_CALLBACKS_H
#define MODULE_CALLBACKS_H

#include "module.h"

/* Copies the attribute, an address-sized integer. */
static inline void duplicate_attribute(const MPI_Fint *object, const MPI_Fint *keyval, const MPI_Aint *state,
                                       const MPI_Aint *from, MPI_Aint *to, MPI_Fint *flag, MPI_Fint *ierror)
{
    *to = *from;
    *flag = fortran_true;
    *ierror = 0;
}

/* Copies the attribute, an INTEGER as in MPI-1: MPI_DUP_FN. MPICH's takes address-sized integers. */
static inline void duplicate_integer(const MPI_Fint *object, const MPI_Fint *keyval, const MPI_Fint *state,
                                     const MPI_Fint *from, MPI_Fint *to, MPI_Fint *flag, MPI_Fint *ierror)
{
    *to = *from;
    *flag = fortran_true;
    *ierror = 0;
}

/* Copies nothing. */
static inline void leave_attribute(const MPI_Fint *object, const MPI_Fint *keyval, const void *state,
                                   const void *from, void *to, MPI_Fint *flag, MPI_Fint *ierror)
{
    *flag = fortran_false;
    *ierror = 0;
}

/* Deletes nothing. */
static inline void delete_attribute(const MPI_Fint *object, const MPI_Fint *keyval, const void *attribute,
                                    const void *state, MPI_Fint *ierror)
{
    *ierror = 0;
}

/* Stands for no conversion as an argument of MPI_REGISTER_DATAREP. MPI never calls it. */
static inline void convert_nothing(void *user, const MPI_Fint *datatype, const void *count, void *file,
                                   const MPI_Offset *position, const MPI_Aint *state, MPI_Fint *ierror)
{
    *ierror = 0;
}

/* CALLBACK(name, NAME, function) of each that mpi_f08 has too, and of those that MPI-1 alone has, where
 * `duplicate` is MPI_DUP_FN. */
#define CALLBACKS(CALLBACK)                                                                        \
    CALLBACK(comm_dup_fn, COMM_DUP_FN, duplicate_attribute)                                        \
    CALLBACK(comm_null_copy_fn, COMM_NULL_COPY_FN, leave_attribute)                                \
    CALLBACK(comm_null_delete_fn, COMM_NULL_DELETE_FN, delete_attribute)                           \
    CALLBACK(type_dup_fn, TYPE_DUP_FN, duplicate_attribute)                                        \
    CALLBACK(type_null_copy_fn, TYPE_NULL_COPY_FN, leave_attribute)                                \
    CALLBACK(type_null_delete_fn, TYPE_NULL_DELETE_FN, delete_attribute)                           \
    CALLBACK(win_dup_fn, WIN_DUP_FN, duplicate_attribute)                                          \
    CALLBACK(win_null_copy_fn, WIN_NULL_COPY_FN, leave_attribute)                                  \
    CALLBACK(win_null_delete_fn, WIN_NULL_DELETE_FN, delete_attribute)
#define MPI1_CALLBACKS(CALLBACK, duplicate)                                                        \
    CALLBACK(dup_fn, DUP_FN, duplicate)                                                            \
    CALLBACK(null_copy_fn, NULL_COPY_FN, leave_attribute)                                          \
    CALLBACK(null_delete_fn, NULL_DELETE_FN, delete_attribute)

#define F08_CALLBACK(name, NAME, function) IN_MODULE(mpi_f08_callbacks, mpi_##name, function)

#endif
