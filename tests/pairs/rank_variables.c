/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes the variables of either family's launchers before MPI is initialized, and prints them with the place that MPI tells:
 * RANK/SIZE, then NAME=VALUE of each that is set. `rank_variables spawn` starts two children of its own kind first; `run COMMAND`
 * has rank 0 run a command afterwards, `within COMMAND` each rank while MPI is in use. `unset` removes the variables ahead of MPI_Init. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = { "OMPI_COMM_WORLD_RANK",       "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
                                     "OMPI_COMM_WORLD_LOCAL_SIZE", "PMI_RANK",             "PMI_SIZE",
                                     "MPI_LOCALRANKID",            "MPI_LOCALNRANKS" };

static char text[1024];

__attribute__((constructor)) static void note(void)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value)
            snprintf(text + strlen(text), sizeof text - strlen(text), " %s=%s", names[i], value);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm parent, children;
    for (size_t i = 0; i < sizeof names / sizeof *names && argc > 1 && strcmp(argv[1], "unset") == 0; i++)
        unsetenv(names[i]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_parent(&parent);
    printf("%s%d/%d%s\n", parent == MPI_COMM_NULL ? "" : "child ", rank, size, text);
    fflush(stdout);
    if (argc > 1 && strcmp(argv[1], "spawn") == 0)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    int failed = argc > 2 && strcmp(argv[1], "within") == 0 && system(argv[2]) != 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    if (failed)
        return 1;
    return argc > 2 && strcmp(argv[1], "run") == 0 && rank == 0 ? system(argv[2]) != 0 : 0;
}
