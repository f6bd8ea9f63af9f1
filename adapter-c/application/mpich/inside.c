/* SPDX-License-Identifier: BSD-3-Clause */
/* MPIR_Err_create_code(): a function inside MPICH. Programs look for its name in the library to tell MPICH from other MPIs: unimpi does.
 * Nobody calls it but MPICH itself. */
#include "convert/adapter.h"
#include "convert/say.h"

EXPORTED int MPIR_Err_create_code(int last, int fatal, const char *function, int line, int error_class, const char *generic,
                                  const char *specific, ...)
{
    give_up("the program calls MPIR_Err_create_code(), a function inside MPICH; have it call MPI_Add_error_code()");
}
