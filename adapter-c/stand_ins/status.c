/* SPDX-License-Identifier: BSD-3-Clause */
/* Large counts in statuses. */
#include "convert/host_side.h"
#include "layers/built.h"

host_code built_MPI_Status_set_elements_c(host_status *status, host_datatype datatype, MPI_Count count)
{
    return host.MPI_Status_set_elements_x(status, datatype, count);
}

/* Counts bytes, and divides them by the datatype's size. */
host_code built_MPI_Get_count_c(const host_status *status, host_datatype datatype, MPI_Count *count)
{
    MPI_Count bytes = 0, size = 0;
    host_code rc = count ? host.MPI_Type_size_x(datatype, &size) : fail(HOST_MPI_ERR_ARG);
    if (rc == 0)
        rc = host.MPI_Get_elements_x(status, HOST_MPI_BYTE, &bytes);
    if (rc != 0)
        return rc;
    if (size == 0)
        *count = 0;
    else
        *count = bytes % size == 0 ? bytes / size : HOST_MPI_UNDEFINED;
    return 0;
}

host_code built_MPI_Get_elements_c(const host_status *status, host_datatype datatype, MPI_Count *count)
{
    return host.MPI_Get_elements_x(status, datatype, count);
}
