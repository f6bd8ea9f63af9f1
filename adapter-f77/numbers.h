/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran's integers of handles in the Fortran libraries, which are the same for every host. Where the host's handles are
 * integers, a dynamic handle's integer is the host's, and the lower half of the application's handle. Elsewhere the library
 * for C is asked. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "base/share.h"

/* The upper half of dynamic handles whose lower half is their integer: all bits, or none if the library for C must be asked.
 * Set when the library is loaded. */
extern HIDDEN intptr_t fortran_upper[CLASS_COUNT];

/* Asks the library for C. This is called while the arguments of an entry point are in their registers, and must not make that
 * save them: vector registers are all that the call changes. */
#if defined __x86_64__ && !defined __clang__
#define KEEPS_REGISTERS __attribute__((no_caller_saved_registers, target("general-regs-only")))
#define VECTORS_ARE_LOST()                                                                         \
    __asm__ volatile("" : : : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", \
                     "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")
#else
#define KEEPS_REGISTERS
#define VECTORS_ARE_LOST() (void)0
#endif
COLD HIDDEN KEEPS_REGISTERS intptr_t handle_of_number(MPI_Fint number, int handle_class);
COLD HIDDEN MPI_Fint number_of_handle(intptr_t handle, int handle_class);

INLINE intptr_t asked_handle(MPI_Fint number, int handle_class)
{
    intptr_t handle = handle_of_number(number, handle_class);
    VECTORS_ARE_LOST();
    return handle;
}

#define FORTRAN_NUMBER_OBJECT(CLASS, class)                                                        \
    INLINE app_##class class##_from_number(MPI_Fint number)                                        \
    {                                                                                              \
        intptr_t handle = (intptr_t)(uint32_t)number | fortran_upper[CLASS_##CLASS];               \
        return (app_##class)(likely(handle < 0) ? handle : asked_handle(number, CLASS_##CLASS));   \
    }                                                                                              \
    INLINE MPI_Fint class##_to_number(app_##class handle) { return (MPI_Fint)(intptr_t)handle; }
#define FORTRAN_NUMBER_POINTER(CLASS, class)                                                       \
    INLINE app_##class class##_from_number(MPI_Fint number) { return (app_##class)asked_handle(number, CLASS_##CLASS); } \
    INLINE MPI_Fint class##_to_number(app_##class handle) { return number_of_handle((intptr_t)handle, CLASS_##CLASS); }
#define FORTRAN_NUMBER_INT(CLASS, class)

#define FORTRAN_NUMBER(CLASS, class) JOIN(FORTRAN_NUMBER_, APP_##CLASS##_REPRESENTATION)(CLASS, class)
HANDLE_CLASSES(FORTRAN_NUMBER)

/* What neither has a number here nor is the null handle. */
#define HAS_NUMBER(CLASS, handle) (((intptr_t)(handle) & fortran_upper[CLASS_##CLASS]) < 0)
#define DECLARE_OTHERS(class) COLD HIDDEN MPI_Fint class##_other_to_fortran(app_##class handle);
#define OTHER_TO_FORTRAN(class, handle) class##_other_to_fortran(handle)

#endif
