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

static host_code set_supported(host_info info, const char *key, host_datatype datatype)
{
    return host.MPI_Info_set(info, key, size_of(datatype, 1) ? "true" : "false");
}

/* Section 20.4.1. The program's handle leads to the type that the host has, or to its substitute. */
static host_code describe_fortran(host_info info)
{
    host_code rc = 0;
/* each
 * key               datatype          unasked
 * logical           LOGICAL           STORAGE_UNIT
 * integer           INTEGER           STORAGE_UNIT
 * real              REAL              STORAGE_UNIT
 * double_precision  DOUBLE_PRECISION  2 * STORAGE_UNIT
 */
    if (rc == 0)
        rc = set_size(info, "mpi_${key}_size", size_of(datatype_to_host(APP_MPI_$datatype), $unasked));
/* end */

/* each
 * key             datatype
 * logical1        LOGICAL1
 * logical2        LOGICAL2
 * logical4        LOGICAL4
 * logical8        LOGICAL8
 * logical16       LOGICAL16
 * integer1        INTEGER1
 * integer2        INTEGER2
 * integer4        INTEGER4
 * integer8        INTEGER8
 * integer16       INTEGER16
 * real2           REAL2
 * real4           REAL4
 * real8           REAL8
 * real16          REAL16
 * complex4        COMPLEX4
 * complex8        COMPLEX8
 * complex16       COMPLEX16
 * complex32       COMPLEX32
 * double_complex  DOUBLE_COMPLEX
 */
    if (rc == 0)
        rc = set_supported(info, "mpi_${key}_supported", datatype_to_host(APP_MPI_$datatype));
/* end */
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
