/* SPDX-License-Identifier: BSD-3-Clause */
/* The Fortran compiler of the program, on which LOGICALs depend. */
#ifndef COMPILER_H
#define COMPILER_H

#include "convert/types.h"

#include "compilers.h"

/* Returns the compiler of this name or, if that is null or empty, the one whose run-time library is loaded; null if none is. Ends the
 * process if no compiler has the name. */
HIDDEN const struct compiler *find_compiler(const char *name);

#endif
