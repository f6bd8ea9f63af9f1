/* SPDX-License-Identifier: BSD-3-Clause */
/* Error classes and codes that the program removes, MPI-4.1 section 9.5. */
#include "convert/added_code.h"
#include "convert/host_side.h"
#include "layers/built.h"

/* MPI-4.1 section 9.5: the adapter forgets the number; the host keeps an unused one. Only classes and codes that the
 * program added can be removed, when they have no string any more, and a class when it has no codes. */
host_code built_MPI_Remove_error_class(int errorclass)
{
    int number = added_find(errorclass);
    return added_is_class(number) && !added_has_codes(errorclass) && !added_has_string(number) ? 0 : fail(HOST_MPI_ERR_ARG);
}

host_code built_MPI_Remove_error_code(int errorcode)
{
    int number = added_find(errorcode);
    return number && !added_is_class(number) && !added_has_string(number) ? 0 : fail(HOST_MPI_ERR_ARG);
}

host_code built_MPI_Remove_error_string(int errorcode)
{
    return added_find(errorcode) ? host.MPI_Add_error_string(errorcode, "") : fail(HOST_MPI_ERR_ARG);
}
