/* SPDX-License-Identifier: BSD-3-Clause */
#include "host_fortran.h"

#include <pthread.h>

#include "base/fortran_facts.h"
#include "base/logical.h"
#include "convert/host_side.h"
#include "layers/layers.h"

static void tell_types(void)
{
    host_info info = HOST_MPI_INFO_NULL;
    if (HOST_LACKS(MPI_Abi_set_fortran_info) || HOST_LACKS(MPI_Abi_get_fortran_info) || host.MPI_Abi_get_fortran_info(&info) != 0)
        return;
    int is_known = HOST_INFO_BITS(info) != HOST_INFO_BITS(HOST_MPI_INFO_NULL);
    if (!is_known && host.MPI_Info_create(&info) != 0)
        return;
    for (size_t i = 0; !is_known && i < sizeof fortran_facts / sizeof *fortran_facts; i++)
        host.MPI_Info_set(info, fortran_facts[i][0], fortran_facts[i][1]);
    if (!is_known)
        host.MPI_Abi_set_fortran_info(info);
    host.MPI_Info_free(&info);
}

static void tell_logicals(void)
{
    int is_true = 0, is_false = 0, is_set = 1;
    if (HOST_LACKS(MPI_Abi_set_fortran_booleans) || HOST_LACKS(MPI_Abi_get_fortran_booleans) ||
        host.MPI_Abi_get_fortran_booleans(sizeof is_true, &is_true, &is_false, &is_set) != 0 || is_set)
        return;
    logicals(&is_true, &is_false);
    host.MPI_Abi_set_fortran_booleans(sizeof is_true, &is_true, &is_false);
}

static void tell(void)
{
    tell_types();
    tell_logicals();
}

void fortran_tell_host(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, tell);
}
