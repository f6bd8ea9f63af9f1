/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI that is linked into the program. */
#ifndef INSIDE_H
#define INSIDE_H

#include "program.h"

/* A line of inside_table.h: an implementation, as abi-tables/implementations and abi-tables/families have it. */
struct implementation {
    const char *called;  /* by people */
    const char *text;    /* that its library has */
    const char *start;   /* its function that begins its work; empty if its procedures cannot be replaced */
    const char *library; /* for C, as programs of its ABI need it */
    const char *fortran; /* for Fortran */
};

struct inside {
    const struct implementation *mpi; /* null: none, or an unknown one */
    unsigned procedures;              /* how many of MPI's are in the program */
    bool has_fortran;
};

/* Finds the MPI inside. Gives up if it is one that cannot be replaced; `procedures` is 0 if there is none. */
struct inside inside_find(struct program *);

#endif
