/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran's constants that are addresses (MPI-4.1 section 2.5.4: MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE, ...) are
 * variables in common blocks. Each object that was compiled with mpif.h or the module mpi has a copy of the blocks. The dynamic
 * linker gives a program and its libraries one copy, but a plugin that is opened for itself (RTLD_LOCAL) uses its own,
 * and two such plugins use two. Here all slots of these symbols lead to one address for the whole process, so that an
 * entry point compares with one address. Objects whose code has no slots of them are served by fortran_copy.c. */
#ifndef FORTRAN_SENTINELS_H
#define FORTRAN_SENTINELS_H

#include <stddef.h>

#include "convert/types.h"

struct gotswap_linked;

/* A common block, or a variable of mpi_f08: its symbol, and where the dynamic linker found it for the Fortran library. */
struct sentinel {
    const char *symbol;
    const void *address;
};

/* Adds the sentinels of a Fortran library, and leads their slots in all objects that are loaded now and later to one address.
 * A null symbol ends the table; the first address of a symbol counts. `loaded` is called whenever other objects have been loaded.
 * To be called by a constructor of the library, which is never unloaded. */
HIDDEN void isolate_sentinels(const struct sentinel *table, void (*loaded)(void));

/* The first half of that. */
void sentinels_add(const struct sentinel *table, void (*loaded)(void));

/* Tells the Fortran libraries that other objects have been loaded. */
void sentinels_tell(void);

/* True if there are sentinels: a Fortran library is loaded. */
int sentinels_exist(void);

/* True if a library with these addresses has added sentinels. */
int sentinels_are_of(const void *begin, const void *end);

/* The address that slots of this symbol lead to, or null for a symbol that is no sentinel. */
void *sentinels_find(const char *symbol);

/* True if the object may have slots of sentinels that are to lead there. */
int sentinels_concern(const struct gotswap_linked *object);

/* True if the object refers, without slots, to other addresses than those of the process: it was linked with -Bsymbolic. */
int sentinels_are_apart(const struct gotswap_linked *object);

/* Leaves the slots of the object that begins at this address to somebody else, and whether that is so. */
void sentinels_leave(const void *base);
int sentinels_are_left(const void *base);

#endif
