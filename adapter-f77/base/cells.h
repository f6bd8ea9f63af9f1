/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes that Fortran sets. */
#ifndef CELLS_H
#define CELLS_H

#include "convert/types.h"

HIDDEN void *new_cell(MPI_Aint value);
HIDDEN MPI_Aint value_of(const void *attribute);
HIDDEN void free_cell(void *attribute);

#endif
