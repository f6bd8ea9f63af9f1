/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran's constants that are addresses (MPI-4.1 section 2.5.4: MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE, ...) are
 * variables in common blocks. Each object that was compiled with mpif.h or the module mpi has a copy of the blocks. The dynamic
 * linker gives a program and its libraries one copy, but a plugin that is opened with RTLD_LOCAL uses its own. Here all slots of
 * these symbols lead to one address for the whole process, so that an entry point compares with one address. Objects that have no
 * slots of them are left to fortran_copy.c. */
#ifndef FORTRAN_SENTINELS_H
#define FORTRAN_SENTINELS_H

#include <stddef.h>

#include "convert/types.h"

struct gotswap_linked;

/* A common block, or a variable of mpi_f08: its symbol, and its address as the dynamic linker bound the Fortran library. */
struct sentinel {
    const char *symbol;
    const void *address;
};

/* Adds the sentinels of a Fortran library, and leads their slots in all objects that are loaded now and later to one
 * address, which is the first that was added for the symbol. A null symbol ends the table, which must last. `loaded` is
 * called whenever other objects have been loaded. To be called by a constructor of the library, which is never unloaded. */
HIDDEN void isolate_sentinels(const struct sentinel *table, void (*loaded)(void));

/* Adds the sentinels, and leaves the slots to the caller. */
void sentinels_add(const struct sentinel *table, void (*loaded)(void));

/* Tells the Fortran libraries that other objects have been loaded. */
void sentinels_tell(void);

/* Returns whether there are sentinels: a Fortran library is loaded. */
int sentinels_exist(void);

/* Returns whether an object needs such a library, besides the libraries beside it: nobody may, where it was loaded for what may be loaded
 * later. Once true, it stays so. */
int sentinels_have_users(void);

/* Returns whether a library with these addresses has added sentinels. */
int sentinels_are_of(const void *begin, const void *end);

/* Returns the address to which slots of this symbol lead, or null for a symbol that is no sentinel. */
void *sentinels_find(const char *symbol);

/* Returns whether the object may have slots of sentinels that must lead to these addresses. */
int sentinels_concern(const struct gotswap_linked *object);

/* Returns whether the object refers to other addresses without slots: it was linked with -Bsymbolic. */
int sentinels_are_apart(const struct gotswap_linked *object);

/* Leaves the slots of the object that begins at this address to the caller. */
void sentinels_leave(const void *base);

/* Returns whether the slots of the object that begins at this address are left to another. */
int sentinels_are_left(const void *base);

#endif
