// SPDX-License-Identifier: BSD-3-Clause
// A C program that loads code with the C++ bindings only while it runs, as an interpreter would.
/* ranks: 2 */
/* plugin: late */
/* libs: -ldl */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, bad = 1, all = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    void *plugin = dlopen(getenv("TEST_PLUGIN"), RTLD_NOW | RTLD_LOCAL);
    int (*use)(void) = plugin ? (int (*)(void))dlsym(plugin, "use_bindings") : 0;
    if (use)
        bad = use();
    else
        fprintf(stderr, "%s\n", dlerror());
    MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 0 && all == 0)
        puts("ok late");
    return all != 0;
}
