/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of attributes that Fortran sets: a table of cells tells them from C's pointers. All Fortran
 * libraries of a process see the same ones. */
#include "base/cells.h"

#include <stdlib.h>

#include "convert/index.h"
#include "layers/lock.h"

/* An attribute is the address of a cell, as C programs see it. */
struct cell {
    MPI_Aint value;
    struct index_entry entry; /* by that address */
};

static struct index cells;
LOCK(fortran_cells);

void *new_cell(MPI_Aint value)
{
    struct cell *cell = malloc(sizeof *cell);
    if (!cell)
        return 0;
    *cell = (struct cell){ value, { 0, (intptr_t)cell } };
    take_lock(fortran_cells);
    int failed = index_add(&cells, &cell->entry);
    release_lock(fortran_cells);
    if (!failed)
        return cell;
    free(cell);
    return 0;
}

MPI_Aint value_of(const void *attribute)
{
    take_lock(fortran_cells);
    int is_cell = *index_find(&cells, (intptr_t)attribute) != 0;
    MPI_Aint value = is_cell ? ((const struct cell *)attribute)->value : (MPI_Aint)attribute;
    release_lock(fortran_cells);
    return value;
}

void free_cell(void *attribute)
{
    take_lock(fortran_cells);
    struct index_entry **link = index_find(&cells, (intptr_t)attribute);
    int is_cell = *link != 0;
    if (is_cell)
        index_remove(&cells, link);
    release_lock(fortran_cells);
    if (is_cell)
        free(attribute);
}
