/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool of the host's that loads the library LOADS, in its constructor (TOOL_LOADS is "early") or when it
 * is first called ("late"); its MPI_Barrier calls that. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int (*run)(MPI_Comm);

static void load(const char *when)
{
    void *library = strcmp(getenv("TOOL_LOADS"), when) == 0 ? dlopen(getenv("LOADS"), RTLD_LAZY | RTLD_LOCAL) : 0;
    if (library)
        run = (int (*)(MPI_Comm))dlsym(library, "plugin_run");
}

__attribute__((constructor)) static void start(void)
{
    load("early");
}

int MPI_Barrier(MPI_Comm comm)
{
    load("late");
    return run ? run(comm) : MPI_ERR_OTHER;
}
