/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran's integers of handles: a predefined one's is its value in the ABI, any other's what MPI_X_toint says. */
#ifndef ALONE_HANDLES_H
#define ALONE_HANDLES_H

#include "fortran_prototypes.h"

/* Predefined handles have 10 bits, and no other handle's integer is among theirs (MPI-5.0 section 20.4). */
#define PREDEFINED_CODES 1024
#define IS_DYNAMIC(integer) ((uint32_t)(integer) >= PREDEFINED_CODES)

#endif
