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

/* Returns the integer of a predefined handle, which is its index among the `count` handles, or of one that the library for C
 * has a number for. */
COLD HIDDEN MPI_Fint other_to_fortran(int handle_class, int count, const intptr_t *handles, intptr_t handle);

/* For a handle that is not null and has no number here. */
#define HAS_NUMBER(handle_class, handle) ((intptr_t)(handle) < fortran_numbers[handle_class].end)

#endif
