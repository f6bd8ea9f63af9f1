/* SPDX-License-Identifier: BSD-3-Clause */
/* A library of the program's whose constructor calls MPI, and which may load others. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int module_run(const char *path);
static int initialized = -1;

__attribute__((constructor)) static void start(void)
{
    MPI_Initialized(&initialized);
}

int module_run(const char *path)
{
    void *next = dlopen(path, RTLD_LAZY); /* there is no such file */
    return next || initialized != 0;
}
