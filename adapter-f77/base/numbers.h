/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran's integers of handles in the library for C, which knows how the host represents handles: the host's where that is an
 * integer, else a shorter form of its address (compress.h). */
#ifndef BASE_NUMBERS_H
#define BASE_NUMBERS_H

#include "convert/adapter.h"
#include "fortran_numbers.h"

/* Dynamic handles of an application whose predefined ones are addresses are negative. */
#define HAS_NUMBER(handle_class, handle) ((intptr_t)(handle) < 0)

/* Returns the integer of a predefined handle. */
INLINE MPI_Fint other_to_fortran(int handle_class, int count, const intptr_t *handles, intptr_t handle)
{
    return predefined_to_fortran(count, handles, handle);
}

#endif
