/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of the adapter's Fortran libraries. An object that was linked with -Bsymbolic refers to its own copies of
 * Fortran's common blocks (isolate/fortran_sentinels.h) without slots, so that these references cannot be changed. Its
 * calls are led to a second copy of the Fortran library instead, whose slots of the common blocks lead to the object's. A
 * Fortran library has no state, and all copies call the same library for C. */
#ifndef FORTRAN_COPY_H
#define FORTRAN_COPY_H

#include "isolate/slots.h"

/* Leads the Fortran calls of an object to copies for it alone. Copies need /proc; if one cannot be made, says on stderr that the
 * object's constants are not recognized. */
void fortran_copy_serve(const struct held *object);

/* Returns whether a copy's constructors are running. */
int fortran_copy_is_loading(void);

#endif
