/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of Open MPI that says what the host's library sees behind the names that both have. Compiled so that it
 * holds a copy of the adapter's object. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static const char *seen(const char *name)
{
    const char *(*function)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, name);
    return function ? function() : "nothing";
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    printf("%s, %s, %s\n", seen("seen_data"), seen("seen_pointer"), seen("seen_function"));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
