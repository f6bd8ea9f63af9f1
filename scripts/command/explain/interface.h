// SPDX-License-Identifier: BSD-3-Clause
// By which interface of MPI a program calls it, as the names of symbols tell.
#ifndef INTERFACE_H
#define INTERFACE_H

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

// The set of interfaces that a symbol belongs to, 1u << each; 0 for what is not MPI's.
unsigned interfaces_of(const char *symbol);

// The procedure's name for C, or for Fortran, where letters may differ in case: without what tells
// the interface.  The result is to be freed.
char *procedure_of(const char *symbol);

#endif
