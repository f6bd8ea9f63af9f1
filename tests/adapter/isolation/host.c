/* SPDX-License-Identifier: BSD-3-Clause */
/* A host library in front of MPICH's: its MPI_Barrier loads the plugin that PLUGIN names and returns
 * what the plugin says; with PLUGIN_AGAIN it unloads and loads it before, and with PLUGIN_SPACE it loads it
 * by dlmopen(). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int MPI_Barrier(MPI_Comm comm)
{
    int mode = getenv("PLUGIN_NOW") ? RTLD_NOW : RTLD_LAZY;
    void *handle = getenv("PLUGIN_SPACE") ? dlmopen(LM_ID_BASE, getenv("PLUGIN"), mode | RTLD_LOCAL)
                                          : dlopen(getenv("PLUGIN"), mode | RTLD_LOCAL);
    if (handle && getenv("PLUGIN_AGAIN")) { /* most likely at the same address */
        dlclose(handle);
        handle = dlopen(getenv("PLUGIN"), mode | RTLD_LOCAL);
    }
    int (*run)(MPI_Comm) = handle ? (int (*)(MPI_Comm))dlsym(handle, "plugin_run") : 0;
    if (!run) {
        fprintf(stderr, "plugin: %s\n", dlerror());
        return MPI_ERR_OTHER;
    }
    return run(comm);
}
