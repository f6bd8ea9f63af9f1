// SPDX-License-Identifier: BSD-3-Clause
// By which interface of MPI a program calls it, as the names of symbols tell.
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

// Adds names of a family's own, INTERFACE=PATTERN,PATTERN... as in the table of families.  False: there is no
// such interface.
bool interface_add(const char *text);

// Whether a symbol has such a name for C or C++, as the objects that handles point to have.
bool is_handle_name(const char *symbol);

// The set of interfaces that a symbol belongs to, 1u << each; 0 for what is not MPI's.
unsigned interfaces_of(const char *symbol);

// The procedure's name for C, or for Fortran, where letters may differ in case: without what tells
// the interface.  The result is to be freed.
char *procedure_of(const char *symbol);

#endif
