/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI that is linked into the program. */
#ifndef INSIDE_H
#define INSIDE_H

#include "program.h"

/* A line of inside_table.h: an implementation, as abi-tables/implementations and abi-tables/families have it. */
struct implementation {
    const char *name;    /* in the table */
    const char *called;  /* by people */
    const char *text;    /* that its library has, without the first letter: nothing that has this table has the text */
    const char *start;   /* its function that begins its work; empty if its procedures cannot be replaced */
    const char *state;   /* names of its data that begin with 0 until it has begun, with spaces between */
    const char *library; /* for C, as programs of its ABI need it */
    const char *fortran; /* for Fortran, with spaces between */
    const char *release; /* names of its data that are its release, with spaces between */
    const char *since;   /* the first release with that ABI */
};

/* Interfaces of MPI, by which parts of it are in the program; each a bit. */
enum interface_inside { INSIDE_C, INSIDE_CXX, INSIDE_MPIF, INSIDE_F08, INSIDE_INTERFACES };

struct inside {
    const struct implementation *mpi; /* null: none, or an unknown one */
    unsigned procedures;              /* how many of MPI's are in the program */
    unsigned interfaces;              /* bits of them */
    const char *release;              /* of what is inside; empty if nothing tells */
    uint64_t state;                   /* the place of data that begins with 0 until that MPI has begun, or 0 */
};

/* Returns whether a library lies where distributions put theirs, into which they link no MPI. */
bool inside_is_in_system_folder(const char *path);

/* Finds the next object of this process, from a number on, that has a text of an MPI and is no MPI's own library; 0 is the executable. Sets
 * the number to the object's. inside_find() tells whether an MPI is inside, after program_open_library(). */
bool inside_look_for(struct program *, size_t *number);

/* Finds the MPI inside. Refuses the program if it is one that cannot be replaced; `procedures` is 0 if there is none. */
struct inside inside_find(struct program *);

/* Returns what the names of an open program tell of the MPI inside, and refuses nothing. */
struct inside inside_named(struct program *);

#endif
