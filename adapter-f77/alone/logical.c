/* SPDX-License-Identifier: BSD-3-Clause */
/* LOGICALs, which depend on the compiler: its run-time library tells which one it was. */
#include "fortran.h"

#include <stdlib.h>

#include "base/compiler.h"

/* The values of the first compiler of the table, where none is found. */
__attribute__((constructor)) static void choose_logicals(void)
{
    const struct compiler *found = find_compiler(secure_getenv("MPI_ADAPTER_FORTRAN"));
    fortran_true = found ? found->logical_true : FORTRAN_TRUE;
    fortran_false = found ? found->logical_false : FORTRAN_FALSE;
}
