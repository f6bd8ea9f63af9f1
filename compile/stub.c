// SPDX-License-Identifier: BSD-3-Clause
/* Programs of the standard ABI are linked with this: every procedure, and no MPI behind them. The library's
   file has no version in its name, so that no program that needs libmpi_abi.so.1 finds it when it starts,
   whatever path leads to it; a process that loads it by its own name is told so. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((constructor)) static void refuse(void)
{
    Dl_info self;
    int found = dladdr((void *)&refuse, &self) != 0;
    fprintf(stderr, "mpi-adapter: %s is for linking and has no MPI behind it; start the program by mpi-adapter run, "
            "or by an MPI that has a libmpi_abi.so.1\n", found ? self.dli_fname : "libmpi_abi.so");
    _exit(1);
}

#define PROCEDURE(name) \
    void name(void) __attribute__((weak, alias("refuse"))); \
    void P##name(void) __attribute__((alias("refuse")));
#include "procedures.h"
