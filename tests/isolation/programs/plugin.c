/* SPDX-License-Identifier: BSD-3-Clause */
/* A host's plugin: calls the host, directly and by a function's address. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* In data: an absolute relocation. */
int (*in_table)(MPI_Comm, int *) = MPI_Comm_size;

static int is_host(void *function)
{
    Dl_info info;
    return dladdr(function, &info) && strstr(info.dli_fname, "/libmpich.so");
}

int plugin_run(MPI_Comm comm)
{
    int rank = -1, size = -1;
    if (!is_host((void *)in_table) || !is_host((void *)MPI_Comm_remote_size)) {
        fprintf(stderr, "the plugin's functions are not the host's\n");
        return MPI_ERR_OTHER;
    }
    if (PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS || in_table(comm, &size) != MPI_SUCCESS)
        return MPI_ERR_OTHER;
    return rank == 0 && size == 1 ? MPI_SUCCESS : MPI_ERR_OTHER;
}

#ifdef REGISTERS
void host_register(int (*run)(MPI_Comm));

__attribute__((constructor)) static void start(void)
{
    host_register(plugin_run);
}
#endif
