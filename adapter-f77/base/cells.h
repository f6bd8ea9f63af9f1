/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells hold attributes that Fortran sets: C's attributes are pointers, Fortran's are integers (MPI-4.1 section 19.3.7). */
#ifndef CELLS_H
#define CELLS_H

#include "convert/types.h"

/* Returns a cell with the value, for C to store as an attribute; null if memory runs out. */
HIDDEN void *new_cell(MPI_Aint value);

/* Returns the integer that Fortran gets for an attribute: the cell's, or the address that a program in C stored. */
HIDDEN MPI_Aint value_of(const void *attribute);

/* Frees a cell. Does nothing for an attribute that is none. */
HIDDEN void free_cell(void *attribute);

#endif
