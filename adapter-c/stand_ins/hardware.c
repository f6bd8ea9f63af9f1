/* SPDX-License-Identifier: BSD-3-Clause */
/* Enquiries about devices and the machine. */
#include "convert/host_side.h"
#include "layers/built.h"
#include "layers/layers.h"

/* A host that cannot tell takes no device memory: that is no error. */
int built_MPIX_Query_cuda_support(void)
{
    return 0;
}

int built_MPIX_Query_ze_support(void)
{
    return 0;
}

/* The same devices go by two names: MPICH asks for HIP, Open MPI for ROCm. */
host_code built_MPIX_Query_hip_support(void)
{
    return !HOST_LACKS(MPIX_Query_rocm_support) && host.MPIX_Query_rocm_support();
}

host_code built_MPIX_Query_rocm_support(void)
{
    return !HOST_LACKS(MPIX_Query_hip_support) && host.MPIX_Query_hip_support();
}

/* MPI-4.1 section 9.1.2: nothing is known of the hardware. */
host_code built_MPI_Get_hw_resource_info(host_info *hw_info)
{
    return host.MPI_Info_create(hw_info);
}
