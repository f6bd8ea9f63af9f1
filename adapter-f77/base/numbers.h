/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran's integers of handles in the library for C, which knows how the host represents handles. */
#ifndef BASE_NUMBERS_H
#define BASE_NUMBERS_H

#include "convert/adapter.h"

/* The integer of a handle that Fortran has no value of its own for: the host's where that is an integer,
 * else a shorter form of its address (compress.h), which the library for C finds. */
#define FORTRAN_NUMBER_INT(CLASS, class)                                                           \
    INLINE app_##class class##_from_number(MPI_Fint number)                                        \
    {                                                                                              \
        return JOIN(FROM_NUMBER_, APP_##CLASS##_REPRESENTATION)(class, number, HOST_##CLASS##_FROM(number)); \
    }                                                                                              \
    /* A dynamic handle's lower half is the host's handle. */                                      \
    INLINE MPI_Fint class##_to_number(app_##class handle) { return (MPI_Fint)(intptr_t)handle; }
/* It needs no look whether it is predefined. */
#define FROM_NUMBER_OBJECT(class, number, host_handle) DYNAMIC_OBJECT(app_##class, number)
/* Dynamic handles of hosts with integers are negative; another number may be one of the host's predefined ones. */
#define FROM_NUMBER_POINTER(class, number, host_handle)                                            \
    (likely((number) < 0) ? (app_##class)(intptr_t)(number) : class##_to_app(host_handle))
#define FORTRAN_NUMBER_POINTER(CLASS, class)                                                       \
    static inline app_##class class##_from_number(MPI_Fint number)                                 \
    {                                                                                              \
        int is_predefined = (uint32_t)number < PREDEFINED_CODES;                                   \
        return class##_to_app((host_##class)(is_predefined ? (void *)(intptr_t)number              \
                                                           : (void *)integer_to_pointer(number, CLASS_##CLASS))); \
    }                                                                                              \
    static inline MPI_Fint class##_to_number(app_##class handle)                                   \
    {                                                                                              \
        intptr_t bits = HOST_##CLASS##_BITS(class##_to_host(handle));                              \
        return (uintptr_t)bits < PREDEFINED_CODES ? (MPI_Fint)bits : compress_pointer(bits, CLASS_##CLASS); \
    }
#define FORTRAN_NUMBER_OBJECT(CLASS, class) FORTRAN_NUMBER_POINTER(CLASS, class)

#define FORTRAN_NUMBER(CLASS, class) JOIN(FORTRAN_NUMBER_, HOST_##CLASS##_REPRESENTATION)(CLASS, class)
HANDLE_CLASSES(FORTRAN_NUMBER)

/* Dynamic handles of an application whose predefined ones are addresses are negative. */
#define HAS_NUMBER(CLASS, handle) ((intptr_t)(handle) < 0)
#define DECLARE_OTHERS(class)
#define OTHER_TO_FORTRAN(class, handle)                                                            \
    predefined_to_fortran(fortran_##class.count, fortran_##class##_handles, (intptr_t)(handle))

#endif
