/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran's integers of handles in the Fortran libraries, which are the same for every host. If the host's handles are
 * integers, a dynamic handle's integer is the host's, and the lower half of the application's handle. Else the library for
 * C finds it. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include "base/share.h"
#include "convert/preserving.h"

/* The upper half of a class's handles whose lower half is their integer, and the end of their range. Both are 0 until the
 * library is loaded, or if the library for C must be asked. */
extern HIDDEN struct fortran_numbers {
    intptr_t upper, end;
} fortran_numbers[CLASS_COUNT];

/* Ask the library for C for the handle of an integer, and for the integer of a handle. */
COLD HIDDEN intptr_t handle_of_number(int32_t number, int handle_class);
COLD HIDDEN MPI_Fint number_of_handle(intptr_t handle, int handle_class);

#define FORTRAN_NUMBER_OBJECT(CLASS, class)                                                        \
    INLINE app_##class class##_from_number(MPI_Fint number)                                        \
    {                                                                                              \
        intptr_t handle = (intptr_t)(uint32_t)number | fortran_numbers[CLASS_##CLASS].upper;       \
        return (app_##class)(likely(handle < 0) ? handle : CALL_PRESERVING(handle_of_number, (int32_t)handle, CLASS_##CLASS)); \
    }                                                                                              \
    INLINE MPI_Fint class##_to_number(app_##class handle) { return (MPI_Fint)(intptr_t)handle; }
#define FORTRAN_NUMBER_POINTER(CLASS, class)                                                       \
    INLINE app_##class class##_from_number(MPI_Fint number) { return (app_##class)handle_of_number(number, CLASS_##CLASS); } \
    INLINE MPI_Fint class##_to_number(app_##class handle) { return number_of_handle((intptr_t)handle, CLASS_##CLASS); }
#define FORTRAN_NUMBER_INT(CLASS, class)

#define FORTRAN_NUMBER(CLASS, class) JOIN(FORTRAN_NUMBER_, APP_##CLASS##_REPRESENTATION)(CLASS, class)
HANDLE_CLASSES(FORTRAN_NUMBER)

/* For a handle that is not null and has no number here. */
#define HAS_NUMBER(CLASS, handle) ((intptr_t)(handle) < fortran_numbers[CLASS_##CLASS].end)
#define DECLARE_OTHERS(class) COLD HIDDEN MPI_Fint class##_other_to_fortran(app_##class handle);
#define OTHER_TO_FORTRAN(class, handle) class##_other_to_fortran(handle)

#endif
