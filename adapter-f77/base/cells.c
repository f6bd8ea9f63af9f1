/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of attributes that Fortran sets: a list of cells tells them from C's pointers. All Fortran
 * libraries of a process see the same ones. */
#include <pthread.h>
#include <stdlib.h>

#include "share.h"

struct cell {
    MPI_Aint value;
    struct cell *next;
};

#define CELL_LISTS 1024

static struct cell *cells[CELL_LISTS];
static pthread_mutex_t cells_lock = PTHREAD_MUTEX_INITIALIZER;

static struct cell **list_of(const void *cell)
{
    return &cells[((uintptr_t)cell >> 4) % CELL_LISTS];
}

/* The link that leads to the cell at this address, or null. The lock must be held. */
static struct cell **find(const void *address)
{
    for (struct cell **link = list_of(address); *link; link = &(*link)->next)
        if (*link == address)
            return link;
    return 0;
}

void *new_cell(MPI_Aint value)
{
    struct cell *cell = malloc(sizeof *cell);
    if (!cell)
        return 0;
    cell->value = value;
    pthread_mutex_lock(&cells_lock);
    struct cell **list = list_of(cell);
    cell->next = *list;
    *list = cell;
    pthread_mutex_unlock(&cells_lock);
    return cell;
}

MPI_Aint value_of(const void *attribute)
{
    pthread_mutex_lock(&cells_lock);
    struct cell **link = find(attribute);
    MPI_Aint value = link ? (*link)->value : (MPI_Aint)attribute;
    pthread_mutex_unlock(&cells_lock);
    return value;
}

void free_cell(void *attribute)
{
    pthread_mutex_lock(&cells_lock);
    struct cell **link = find(attribute), *cell = link ? *link : 0;
    if (cell)
        *link = cell->next;
    pthread_mutex_unlock(&cells_lock);
    free(cell);
}
