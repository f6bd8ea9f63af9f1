/* SPDX-License-Identifier: BSD-3-Clause */
/* Procedures that need the host little or not at all: fields of statuses, address arithmetic. */
#include "calls/process.h"
#include "convert/adapter.h"

/* Accessors of the public fields, MPI-4.1 section 3.2.5: they need no host. */
/* each
 * name    field
 * source  MPI_SOURCE
 * tag     MPI_TAG
 * error   MPI_ERROR
 */
PROCEDURE(app_code, MPI_Status_get_$name, const app_status *status, int *value)
{
    if (unlikely(IS_IGNORED(status) || !value))
        return raise_error(HOST_MPI_ERR_ARG);
    *value = status->$field;
    return 0;
}

PROCEDURE(app_code, MPI_Status_set_$name, app_status *status, int value)
{
    if (unlikely(IS_IGNORED(status)))
        return raise_error(HOST_MPI_ERR_ARG);
    status->$field = value;
    return 0;
}
/* end */

/* Address arithmetic, MPI-4.1 section 5.1.5. */
PROCEDURE(MPI_Aint, MPI_Aint_add, MPI_Aint base, MPI_Aint displacement)
{
    return (MPI_Aint)((uintptr_t)base + (uintptr_t)displacement);
}

PROCEDURE(MPI_Aint, MPI_Aint_diff, MPI_Aint first, MPI_Aint second)
{
    return (MPI_Aint)((uintptr_t)first - (uintptr_t)second);
}

/* Whether device memory may be passed: asked of the host, while MPI runs. Some host ends a program that asks before. */
#define DEVICE_SUPPORT(device)                                                                     \
    PROCEDURE(app_code, MPIX_Query_##device##_support, void)                                            \
    {                                                                                              \
        return process_has_mpi ? host.MPIX_Query_##device##_support() : 0;                         \
    }
DEVICE_SUPPORT(cuda)
DEVICE_SUPPORT(hip)
DEVICE_SUPPORT(rocm)
DEVICE_SUPPORT(ze)

#ifdef APP_MPIX_GPU_SUPPORT_CUDA
/* MPIX_GPU_SUPPORT_DEVICE_INITIATED of Intel MPI: kernels on a device call MPI, which no pair serves. */
enum { DEVICE_INITIATED = 3 };

PROCEDURE(app_code, MPIX_GPU_query_support, int gpu_type, int *is_supported)
{
    if (!is_supported)
        return raise_error(HOST_MPI_ERR_ARG);
    switch (gpu_type) {
    case APP_MPIX_GPU_SUPPORT_CUDA: *is_supported = host.MPIX_Query_cuda_support(); return 0;
    case APP_MPIX_GPU_SUPPORT_ZE: *is_supported = host.MPIX_Query_ze_support(); return 0;
    case APP_MPIX_GPU_SUPPORT_HIP: *is_supported = host.MPIX_Query_hip_support(); return 0;
    case DEVICE_INITIATED: *is_supported = 0; return 0;
    }
    return raise_error(HOST_MPI_ERR_ARG);
}
#endif

/* Communicators whose processes are threads are an implementation's own: a host's are none. */
PROCEDURE(app_code, MPIX_Comm_test_threadcomm, app_comm comm, int *flag)
{
    host_comm its_comm = comm_to_host(comm);
    if (HOST_COMM_BITS(its_comm) == HOST_COMM_BITS(HOST_MPI_COMM_NULL))
        return raise_error(HOST_MPI_ERR_COMM);
    if (!flag)
        return raise_comm(its_comm, HOST_MPI_ERR_ARG);
    *flag = 0;
    return 0;
}
