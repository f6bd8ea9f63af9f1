/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/quiet.h"

#include "convert/host_itself.h"
#include "convert/types.h"

struct quiet quiet_begin(host_errhandler instead)
{
    const host_comm blamed[] = { HOST_MPI_COMM_WORLD, HOST_MPI_COMM_SELF };
    struct quiet quiet;
    for (int i = 0; i < 2; i++) {
        host_itself->MPI_Comm_get_errhandler(blamed[i], &quiet.before[i]);
        host_itself->MPI_Comm_set_errhandler(blamed[i], instead);
    }
    return quiet;
}

void quiet_end(struct quiet quiet)
{
    const host_comm blamed[] = { HOST_MPI_COMM_WORLD, HOST_MPI_COMM_SELF };
    for (int i = 0; i < 2; i++) {
        host_itself->MPI_Comm_set_errhandler(blamed[i], quiet.before[i]);
        host_itself->MPI_Errhandler_free(&quiet.before[i]);
    }
}
