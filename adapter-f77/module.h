/* SPDX-License-Identifier: BSD-3-Clause */
/* The exports of an MPI's Fortran modules besides MPI's procedures, as gfortran builds them: operators of the handle types,
 * predefined callbacks, MPI_SIZEOF, and the description of derived types at run time. Programs refer to them by symbols
 * that name the module: application/<family>/ has those. Values of named constants are generated (fortran_module.c). */
#ifndef MODULE_H
#define MODULE_H

#include "convert/types.h"

/* The values of .TRUE. and .FALSE. in the application's compiler; fortran.c. */
extern HIDDEN int fortran_true, fortran_false;

/* Makes `name` an exported name of the function `target` of this file. */
#define ALIAS(name, target) extern EXPORTED __typeof__(target) name __attribute__((alias(#target)));

/* The same for a name of a module, as gfortran makes it and as Intel's compilers do. */
#define IN_MODULE(module, name, target) ALIAS(__##module##_MOD_##name, target) ALIAS(module##_mp_##name##_, target)

/* The manglings of compilers, of a name in both cases. */
#define MANGLED(lower, UPPER, target)                                                              \
    ALIAS(lower, target) ALIAS(lower##_, target) ALIAS(lower##__, target) ALIAS(UPPER, target)

/* Stands in for procedures that have nothing to do. */
static inline void do_nothing(void) { }

/* ---------------------------------------------------------------- operators
 * TYPE(MPI_Comm) is passed by address, like an INTEGER, whose layout it has. The results are LOGICALs of gfortran, which
 * named the modules' symbols. */

/* Compare two handles. */
static inline MPI_Fint handle_eq(const MPI_Fint *left, const MPI_Fint *right) { return *left == *right; }
static inline MPI_Fint handle_ne(const MPI_Fint *left, const MPI_Fint *right) { return *left != *right; }

/* Compare two handles for Intel's compilers, whose .TRUE. is -1. */
static inline MPI_Fint intel_handle_eq(const MPI_Fint *left, const MPI_Fint *right) { return -handle_eq(left, right); }
static inline MPI_Fint intel_handle_ne(const MPI_Fint *left, const MPI_Fint *right) { return -handle_ne(left, right); }

#define COMPARES(module, name, target)                                                             \
    ALIAS(__##module##_MOD_##name, target) ALIAS(module##_mp_##name##_, intel_##target)

/* ---------------------------------------------------------------- MPI_SIZEOF
 * The first argument is an address or an array descriptor, whose type is in the procedure's name. A
 * string's length follows ierror. */

/* Stores a size, and that there is no error. */
static inline void set_size(MPI_Fint *size, MPI_Fint bytes, MPI_Fint *ierror)
{
    *size = bytes;
    if (ierror != 0)
        *ierror = 0;
}

/* ---------------------------------------------------------------- derived types
 * gfortran emits this table for a type that is, or may be, polymorphic; CLASS(*) points to it. */

struct module_type {
    int32_t hash;                           /* of the names of module and type */
    int64_t size;
    const struct module_type *extends;
    void *initial;                          /* a value with the defaults of components */
    void (*copy)(const void *source, void *target);
    void (*finalize)(void *);
    void (*deallocate)(void *);
};

/* Copy a value of so many bytes. */
static inline void copy_4(const void *source, void *target) { __builtin_memmove(target, source, 4); }
static inline void copy_8(const void *source, void *target) { __builtin_memmove(target, source, 8); }
static inline void copy_20(const void *source, void *target) { __builtin_memmove(target, source, 20); }
static inline void copy_24(const void *source, void *target) { __builtin_memmove(target, source, 24); }

/* TYPE is spelled with the module that defines it, which need not be the one whose file has the table. */
#define MODULE_TYPE(module, type, bytes, number)                                                   \
    EXPORTED char __##module##_MOD___def_init_##type[bytes] __attribute__((aligned(8)));           \
    ALIAS(__##module##_MOD___copy_##type, copy_##bytes)                                            \
    EXPORTED struct module_type __##module##_MOD___vtab_##type =                                   \
        { number, bytes, 0, __##module##_MOD___def_init_##type, copy_##bytes, 0, 0 };

#endif
