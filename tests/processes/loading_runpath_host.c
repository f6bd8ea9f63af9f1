/* SPDX-License-Identifier: BSD-3-Clause */
/* A host's library in front of the real one. MPI_Barrier calls a library that it was linked with, and opens a plugin by its name,
 * in the mode that NOW says. Both are found by the search path of this library alone. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef int host_function(MPI_Comm, int *);

int needed_run(MPI_Comm comm, host_function *of_host);

int MPI_Barrier(MPI_Comm comm)
{
    void *plugin = dlopen("plugin.so", (getenv("NOW") ? RTLD_NOW : RTLD_LAZY) | RTLD_LOCAL);
    int (*plugin_run)(MPI_Comm, host_function *) = 0;
    if (plugin)
        *(void **)&plugin_run = dlsym(plugin, "plugin_run");
    if (!plugin_run) {
        fprintf(stderr, "%s\n", dlerror());
        return MPI_ERR_OTHER;
    }
    int rc = needed_run(comm, PMPI_Comm_rank);
    return rc == MPI_SUCCESS ? plugin_run(comm, PMPI_Comm_rank) : rc;
}
