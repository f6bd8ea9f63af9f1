/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks for a symbol after each barrier: an adapter then looks at what was loaded since. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 3; i++) {
        if (MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS || !dlsym(RTLD_DEFAULT, "printf")) {
            printf("barrier %d is wrong\n", i);
            return 1;
        }
    }
    puts("right");
    return MPI_Finalize();
}
