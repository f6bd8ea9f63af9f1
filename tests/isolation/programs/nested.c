/* SPDX-License-Identifier: BSD-3-Clause */
/* A host's plugin whose constructor opens another one, NESTED, and keeps a function of it for later. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int (*nested_run)(MPI_Comm);

__attribute__((constructor)) static void load(void)
{
    void *nested = dlopen(getenv("NESTED"), RTLD_LAZY | RTLD_LOCAL);
    nested_run = nested ? (int (*)(MPI_Comm))dlsym(nested, "plugin_run") : 0;
}

int plugin_run(MPI_Comm comm)
{
    return nested_run ? nested_run(comm) : MPI_ERR_OTHER;
}
