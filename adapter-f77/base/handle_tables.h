/* SPDX-License-Identifier: BSD-3-Clause */
/* The integers that mpif.h has for handles and keyvals, from the tables. */
#ifndef HANDLE_TABLES_H
#define HANDLE_TABLES_H

#include "application.h"

/* Keyvals that mpif.h numbers differently from mpi.h; ends with C's value 0. */
extern HIDDEN const struct fortran_keyval {
    MPI_Fint fortran;
    int c;
} fortran_keyvals[];

/* If the application's predefined handles are addresses, mpif.h numbers those of a class from 0. The integer of any other
 * handle is the host's own, and never one of those numbers. Such a handle is negative in C. */
struct fortran_handles {
    int count;
    MPI_Fint null;
};

/* Releases with other library names (`renamed` in the families) have another handle for such a number, and another value
 * for a constant of mpi_f08. These are put in place when the libraries are loaded, if a program needs one of those
 * libraries. Both end with null. */
extern HIDDEN const struct earlier_handle {
    intptr_t *place;
    intptr_t handle;
} earlier_handles[];
extern HIDDEN const struct earlier_constant {
    MPI_Fint *constant;
    MPI_Fint value;
} earlier_constants[];

/* Puts the handles of earlier releases in place in this library. */
static inline void take_earlier_handles(void)
{
    for (const struct earlier_handle *row = earlier_handles; row->place; row++)
        *row->place = row->handle;
}

#endif
