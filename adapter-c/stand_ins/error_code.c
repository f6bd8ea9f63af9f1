/* SPDX-License-Identifier: BSD-3-Clause */
/* Error classes and codes that the program removes, MPI-4.1 section 9.5. */
#include "convert/adapter.h"
#include "layers/built.h"

/* MPI-4.1 section 9.5: the adapter forgets the number; the host keeps an unused one. Those of the
 * standard, and such that nobody added, are not removed. */
static int check_added_in(int code, const char *function)
{
    return code <= HOST_MPI_ERR_LASTCODE ? fail_in(HOST_MPI_ERR_ARG, function) : 0;
}
#define check_added(code) check_added_in(code, __func__)

int built_MPI_Remove_error_class(int errorclass)
{
    return check_added(errorclass);
}

int built_MPI_Remove_error_code(int errorcode)
{
    return check_added(errorcode);
}

int built_MPI_Remove_error_string(int errorcode)
{
    return host.MPI_Add_error_string(errorcode, "");
}
