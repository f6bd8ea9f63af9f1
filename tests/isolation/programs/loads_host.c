/* SPDX-License-Identifier: BSD-3-Clause */
/* A host library in front of MPICH's: its MPI_Barrier loads and unloads the plugin that PLUGIN names in two
 * threads at a time. The plugin's constructor has the host load another one, NESTED. */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { TIMES = 100 };

void host_load(const char *variable)
{
    void *handle = dlopen(getenv(variable), RTLD_LAZY | RTLD_LOCAL);
    if (handle)
        dlclose(handle);
    else
        fprintf(stderr, "%s\n", dlerror());
}

static void *load_plugin(void *variable)
{
    for (int i = 0; i < TIMES; i++)
        host_load(variable);
    return 0;
}

int MPI_Barrier(MPI_Comm comm)
{
    pthread_t one, other;
    pthread_create(&one, 0, load_plugin, "PLUGIN");
    pthread_create(&other, 0, load_plugin, "OTHER");
    pthread_join(one, 0);
    pthread_join(other, 0);
    return PMPI_Barrier(comm);
}
