/* SPDX-License-Identifier: BSD-3-Clause */
/* A host's plugin that has another one loaded before it is itself. */
#include <mpi.h>

void host_load(const char *variable);

__attribute__((constructor)) static void load(void)
{
    host_load("NESTED");
}

int plugin_size(int *size)
{
    return MPI_Comm_size(MPI_COMM_WORLD, size);
}
