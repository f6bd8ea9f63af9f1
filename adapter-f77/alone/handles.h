/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran's integers of handles: a predefined one's is its value in the ABI, any other's what MPI_X_toint says. */
#ifndef ALONE_HANDLES_H
#define ALONE_HANDLES_H

#include "fortran_prototypes.h"

/* Predefined handles have 10 bits, and no other handle's integer is among theirs (MPI-5.0 section 20.4). */
#define PREDEFINED_CODES 1024
#define IS_DYNAMIC(integer) ((uint32_t)(integer) >= PREDEFINED_CODES)

#define FORTRAN_HANDLE(CLASS, class, Name)                                                         \
    int direct_MPI_##Name##_toint(app_##class handle) __asm__("PMPI_" #Name "_toint");             \
    app_##class direct_MPI_##Name##_fromint(int integer) __asm__("PMPI_" #Name "_fromint");        \
    INLINE app_##class class##_from_fortran(MPI_Fint integer)                                      \
    {                                                                                              \
        return !IS_DYNAMIC(integer) ? APP_##CLASS##_FROM(integer) : direct_MPI_##Name##_fromint(integer); \
    }                                                                                              \
    INLINE MPI_Fint class##_to_fortran(app_##class handle)                                         \
    {                                                                                              \
        intptr_t bits = APP_##CLASS##_BITS(handle);                                                \
        return (uintptr_t)bits < PREDEFINED_CODES ? (MPI_Fint)bits : direct_MPI_##Name##_toint(handle); \
    }                                                                                              \
    FORTRAN_STAGE_SINGLY(class)
HANDLE_CLASSES(FORTRAN_HANDLE)

#endif
