/* SPDX-License-Identifier: BSD-3-Clause */
/* Enquiries about datatypes; those about what a datatype was made of are in datatype.c. */
#include "convert/host_side.h"
#include "layers/built.h"
#include "stand_ins/narrow.h"

/* MPI-4.1 section 5.1.4: the predefined pairs; there are no others. */
host_code built_MPI_Type_get_value_index(host_datatype value_type, host_datatype index_type, host_datatype *pair_type)
{
    const struct { host_datatype value, index, pair; } pairs[] = {
        { HOST_MPI_FLOAT, HOST_MPI_INT, HOST_MPI_FLOAT_INT },
        { HOST_MPI_DOUBLE, HOST_MPI_INT, HOST_MPI_DOUBLE_INT },
        { HOST_MPI_LONG, HOST_MPI_INT, HOST_MPI_LONG_INT },
        { HOST_MPI_INT, HOST_MPI_INT, HOST_MPI_2INT },
        { HOST_MPI_SHORT, HOST_MPI_INT, HOST_MPI_SHORT_INT },
        { HOST_MPI_LONG_DOUBLE, HOST_MPI_INT, HOST_MPI_LONG_DOUBLE_INT },
        { HOST_MPI_REAL, HOST_MPI_REAL, HOST_MPI_2REAL },
        { HOST_MPI_DOUBLE_PRECISION, HOST_MPI_DOUBLE_PRECISION, HOST_MPI_2DOUBLE_PRECISION },
        { HOST_MPI_INTEGER, HOST_MPI_INTEGER, HOST_MPI_2INTEGER },
    };
    if (is_null_datatype(value_type) || is_null_datatype(index_type))
        return fail(HOST_MPI_ERR_TYPE);
    *pair_type = HOST_MPI_DATATYPE_NULL;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (HOST_DATATYPE_BITS(pairs[i].value) == HOST_DATATYPE_BITS(value_type) &&
            HOST_DATATYPE_BITS(pairs[i].index) == HOST_DATATYPE_BITS(index_type))
            *pair_type = pairs[i].pair;
    return 0;
}

host_code built_MPI_Type_size_c(host_datatype datatype, MPI_Count *size)
{
    return host.MPI_Type_size_x(datatype, size);
}
