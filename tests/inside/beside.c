/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that opens a plugin; the plugin, which takes MPI from the program; and a tool that counts calls. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#if defined PLUGIN

int solve(void)
{
    int sum = 1;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

#elif defined TOOL

static int calls, rank = -1;

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    calls++;
    PMPI_Comm_rank(comm, &rank);
    return PMPI_Allreduce(from, to, count, type, op, comm);
}

int MPI_Finalize(void)
{
    if (rank == 0)
        printf("%d calls\n", calls);
    return PMPI_Finalize();
}

#else

int main(int argc, char **argv)
{
    int rank, sum = 1;
    void *plugin = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
    int (*solve)(void) = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (plugin)
        *(void **)&solve = dlsym(plugin, "solve");
    else
        puts(dlerror());
    int of_plugin = solve ? solve() : -1;
    if (rank == 0)
        printf("sums %d %d\n", sum, of_plugin);
    MPI_Finalize();
    return 0;
}
#endif
