// SPDX-License-Identifier: BSD-3-Clause
/* Programs of the standard ABI are linked with this: every procedure, and no MPI behind them. The library's
   file has no version in its name, so that no program that needs libmpi_abi.so.1 finds it when it starts,
   whatever path leads to it; a process that loads it by its own name is told so.

   Test programs of configure scripts are started as they are. The compilers lead these to a link to this library in the folder
   conftest, by which it starts the program again on the MPI that is there, as `mpi-adapter run` does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINK "/lib/mpi-adapter/abi/conftest/libmpi_abi.so.1"
#define STARTED "MPI_ADAPTER_CONFTEST"

/* Returns only if the library is not that link, or has started the program already. */
static void start_again(const char *library, int argc, char **argv)
{
    size_t length = strlen(library), suffix = strlen(LINK);
    char adapter[PATH_MAX], program[PATH_MAX] = "";
    char *words[argc + 4];
    if (length < suffix || strcmp(library + length - suffix, LINK) != 0 || getenv(STARTED))
        return;
    if (snprintf(adapter, sizeof adapter, "%.*s/bin/mpi-adapter", (int)(length - suffix), library) >= (int)sizeof adapter)
        return;
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
        return;
    words[0] = adapter;
    words[1] = "run";
    words[2] = "--";
    words[3] = program;
    for (int i = 1; i <= argc; i++)
        words[i + 3] = argv[i];
    setenv(STARTED, "1", 1);
    execv(adapter, words);
    fprintf(stderr, "mpi-adapter: there is no %s; install mpi-adapter again\n", adapter);
    _exit(1);
}

static void refuse(void)
{
    Dl_info self;
    int found = dladdr((void *)&refuse, &self) != 0;
    fprintf(stderr, "mpi-adapter: %s is for linking and has no MPI behind it; start the program by mpi-adapter run, "
            "or by an MPI that has a libmpi_abi.so.1\n", found ? self.dli_fname : "libmpi_abi.so");
    _exit(1);
}

__attribute__((constructor)) static void begin(int argc, char **argv)
{
    Dl_info self;
    if (dladdr((void *)&refuse, &self))
        start_again(self.dli_fname, argc, argv);
    refuse();
}

#define PROCEDURE(name) \
    void name(void) __attribute__((weak, alias("refuse"))); \
    void P##name(void) __attribute__((alias("refuse")));
#include "procedures.h"
