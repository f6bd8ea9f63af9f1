/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-5.0 chapter 20, enquiries about the host and its Fortran, on hosts without them. Such a host was built with a Fortran compiler of
 * its own, whose properties cannot be set. */
#include <stdio.h>

#include "convert/adapter.h"
#include "layers/built.h"

/* Frees the info object of a call that fails. */
static int end_info(host_info *info, host_code rc)
{
    if (rc != 0) {
        host.MPI_Info_free(info);
        *info = HOST_MPI_INFO_NULL;
    }
    return rc;
}

static int set_size(host_info info, const char *key, int size)
{
    char text[12];
    snprintf(text, sizeof text, "%d", size);
    return host.MPI_Info_set(info, key, text);
}

/* Section 20.3. */
host_code built_MPI_Abi_get_info(host_info *info)
{
    host_code rc = info ? host.MPI_Info_create(info) : fail(HOST_MPI_ERR_ARG);
    if (rc != 0)
        return rc;
    rc = set_size(*info, "mpi_aint_size", sizeof(MPI_Aint));
    if (rc == 0)
        rc = set_size(*info, "mpi_count_size", sizeof(MPI_Count));
    if (rc == 0)
        rc = set_size(*info, "mpi_offset_size", sizeof(MPI_Offset));
    return end_info(info, rc);
}

/* The size of one of the host's datatypes, or 0 if the host does not have it; `unasked` where it cannot be asked. */
static int size_of(host_datatype datatype, int unasked)
{
    int size = 0;
    if (HOST_DATATYPE_BITS(datatype) == HOST_DATATYPE_BITS(HOST_MPI_DATATYPE_NULL))
        return 0;
    if (!mpi_is_running())
        return unasked;
    return host.MPI_Type_size(datatype, &size) == 0 && size > 0 ? size : 0;
}

/* Fortran's default types take one numeric storage unit, and DOUBLE PRECISION two (Fortran 2018 section 19.5.3.2). */
#define STORAGE_UNIT ((int)sizeof(MPI_Fint))
#define SIZES(X)                                                                                   \
    X(logical, LOGICAL, STORAGE_UNIT) X(integer, INTEGER, STORAGE_UNIT) X(real, REAL, STORAGE_UNIT) \
    X(double_precision, DOUBLE_PRECISION, 2 * STORAGE_UNIT)
#define SUPPORTED(X)                                                                               \
    X(logical1, LOGICAL1) X(logical2, LOGICAL2) X(logical4, LOGICAL4) X(logical8, LOGICAL8)        \
    X(logical16, LOGICAL16) X(integer1, INTEGER1) X(integer2, INTEGER2) X(integer4, INTEGER4)      \
    X(integer8, INTEGER8) X(integer16, INTEGER16) X(real2, REAL2) X(real4, REAL4) X(real8, REAL8)  \
    X(real16, REAL16) X(complex4, COMPLEX4) X(complex8, COMPLEX8) X(complex16, COMPLEX16)          \
    X(complex32, COMPLEX32) X(double_complex, DOUBLE_COMPLEX)

/* Section 20.4.1. The program's handle leads to the type that the host has, or to its substitute. */
static int describe_fortran(host_info info)
{
    host_code rc = 0;
#define SET_SIZE(key, NAME, unasked)                                                               \
    if (rc == 0) rc = set_size(info, "mpi_" #key "_size", size_of(datatype_to_host(APP_MPI_##NAME), unasked));
    SIZES(SET_SIZE)
#undef SET_SIZE
#define SET_SUPPORTED(key, NAME)                                                                   \
    if (rc == 0)                                                                                   \
        rc = host.MPI_Info_set(info, "mpi_" #key "_supported",                                     \
                               size_of(datatype_to_host(APP_MPI_##NAME), 1) ? "true" : "false");
    SUPPORTED(SET_SUPPORTED)
#undef SET_SUPPORTED
    return rc;
}

host_code built_MPI_Abi_get_fortran_info(host_info *info)
{
    host_code rc = info ? host.MPI_Info_create(info) : fail(HOST_MPI_ERR_ARG);
    return rc == 0 ? end_info(info, describe_fortran(*info)) : rc;
}

host_code built_MPI_Abi_set_fortran_info(host_info info)
{
    return fail(HOST_MPI_ERR_ABI);
}
