/* SPDX-License-Identifier: BSD-3-Clause */
/* .TRUE. and .FALSE., MPI-5.0 section 20.4.1, on a host that cannot be asked: those of the program's compiler, which
 * the adapter finds out by itself. */
#include <string.h>

#include "base/logical.h"
#include "convert/host_side.h"
#include "layers/built.h"

/* A LOGICAL of any kind is .TRUE. by the same number. */
static int is_size(int size)
{
    return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

static void put_logical(void *logical, int value, int size)
{
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a number's lower bytes come first");
    memset(logical, value < 0 ? 0xff : 0, (size_t)size);
    memcpy(logical, &value, size < (int)sizeof value ? (size_t)size : sizeof value);
}

int built_MPI_Abi_get_fortran_booleans(int logical_size, void *logical_true, void *logical_false, int *is_set)
{
    int is_true, is_false;
    if (!is_size(logical_size) || !logical_true || !logical_false || !is_set)
        return fail(HOST_MPI_ERR_ARG);
    logicals(&is_true, &is_false);
    put_logical(logical_true, is_true, logical_size);
    put_logical(logical_false, is_false, logical_size);
    *is_set = 1;
    return 0;
}

int built_MPI_Abi_set_fortran_booleans(int logical_size, void *logical_true, void *logical_false)
{
    return fail(is_size(logical_size) && logical_true && logical_false ? HOST_MPI_ERR_ABI : HOST_MPI_ERR_ARG);
}
