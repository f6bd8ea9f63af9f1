/* SPDX-License-Identifier: BSD-3-Clause */
/* A host library in front of MPICH's: its MPI_Barrier loads the plugin that PLUGIN names and returns
 * what the plugin says; with PLUGIN_AGAIN it unloads and loads it before, and with PLUGIN_SPACE it loads it
 * by dlmopen(). With PLUGIN_LOOKS it looks for a procedure instead, in every scope. Its
 * MPI_Init loads PLUGIN_REGISTERS, whose constructor says what MPI_Barrier is to call. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int (*registered)(MPI_Comm);

void host_register(int (*run)(MPI_Comm));
void host_register(int (*run)(MPI_Comm))
{
    registered = run;
}

int MPI_Init(int *argc, char ***argv)
{
    int rc = PMPI_Init(argc, argv);
    if (getenv("PLUGIN_REGISTERS"))
        dlopen(getenv("PLUGIN_REGISTERS"), RTLD_LAZY | RTLD_LOCAL);
    return rc;
}

static int is_own(void *scope)
{
    Dl_info info;
    void *found = dlsym(scope, "MPI_Comm_rank");
    return found && dladdr(found, &info) && strstr(info.dli_fname, "/libmpich.so");
}

int MPI_Barrier(MPI_Comm comm)
{
    if (getenv("PLUGIN_LOOKS"))
        return is_own(RTLD_DEFAULT) && is_own(RTLD_NEXT) && is_own(dlopen(0, RTLD_LAZY)) ? MPI_SUCCESS : MPI_ERR_OTHER;
    if (registered)
        return registered(comm);
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
