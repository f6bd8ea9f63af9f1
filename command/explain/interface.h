// SPDX-License-Identifier: BSD-3-Clause
// The interfaces of MPI that a program uses, by the names of its symbols.
#ifndef INTERFACE_H
#define INTERFACE_H

#include <stdbool.h>
#include <stddef.h>

// In the order in which they are shown.
enum interface {
    INTERFACE_C,
    INTERFACE_CXX,
    INTERFACE_MPI_T,
    INTERFACE_EXTENSIONS,
    INTERFACE_LARGE_COUNTS,
    INTERFACE_MPI_F08,
    INTERFACE_MPIF,
    INTERFACE_PRIVATE,
    INTERFACE_PROFILING,
    INTERFACES
};

extern const char *const interface_names[INTERFACES];

// Adds names of a family's own, INTERFACE=PATTERN,PATTERN... as in the table of families.  Returns false if the interface
// does not exist.
bool interface_add(const char *text);

// Returns the set of interfaces that a symbol belongs to, 1u << each; 0 for a symbol that is not MPI's.
unsigned interfaces_of(const char *symbol);

// Returns the procedure's name without the part that tells the interface: C's, or Fortran's, whose letters may differ in
// case.  The caller frees it.
char *procedure_of(const char *symbol);

#endif
