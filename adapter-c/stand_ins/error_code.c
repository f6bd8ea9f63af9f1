/* SPDX-License-Identifier: BSD-3-Clause */
/* Error classes and codes that the program removes, MPI-4.1 section 9.5. */
#include "convert/adapter.h"
#include "convert/added_code.h"
#include "layers/built.h"

/* MPI-4.1 section 9.5: the adapter forgets the number; the host keeps an unused one. Only classes and codes that the
 * program added can be removed, and a class only when it has no codes any more. */
static int is_in_use(int errorclass)
{
    for (int number = APP_MPI_ERR_LASTCODE + 1; number <= error_last_used(); number++)
        if (added_is_code_of(number, errorclass))
            return 1;
    return 0;
}

host_code built_MPI_Remove_error_class(int errorclass)
{
    return added_is_class(added_find(errorclass)) && !is_in_use(errorclass) ? 0 : fail(HOST_MPI_ERR_ARG);
}

host_code built_MPI_Remove_error_code(int errorcode)
{
    int number = added_find(errorcode);
    return number && !added_is_class(number) ? 0 : fail(HOST_MPI_ERR_ARG);
}

host_code built_MPI_Remove_error_string(int errorcode)
{
    return added_find(errorcode) ? host.MPI_Add_error_string(errorcode, "") : fail(HOST_MPI_ERR_ARG);
}
