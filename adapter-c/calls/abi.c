/* SPDX-License-Identifier: BSD-3-Clause */
/* The application binary interface, MPI-5.0 chapter 20. stand_ins/abi.each.c answers for hosts that lack these
 * procedures. */
#include "convert/adapter.h"

/* The program's, for that is what it was compiled for and sees. */
PROCEDURE(app_code, MPI_Abi_get_version, int *major, int *minor)
{
    if (!major || !minor)
        return raise_error(HOST_MPI_ERR_ARG);
    *major = APP_MPI_ABI_VERSION;
    *minor = APP_MPI_ABI_SUBVERSION;
    return 0;
}
