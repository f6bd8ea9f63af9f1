/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a line for each rank, of all that a launch line may say: rank, size, rank on the node as the launcher's variable tells it,
 * host, folder, the variable SHOWN, the processors it may use, and, for the first one, what standard input begins with: MPICH leaves
 * that of others open. Ranks send nothing, as MPICH before 4.2 may hang in MPI_Finalize after messages between hosts. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef OPEN_MPI
static const char local_rank[] = "OMPI_COMM_WORLD_LOCAL_RANK";
#else
static const char local_rank[] = "MPI_LOCALRANKID";
#endif

static void put_processors(char *text, size_t size)
{
    cpu_set_t set;
    size_t used = 0;
    sched_getaffinity(0, sizeof set, &set);
    for (int i = 0; i < CPU_SETSIZE && used + 8 < size; i++)
        if (CPU_ISSET(i, &set))
            used += (size_t)snprintf(text + used, size - used, "%s%d", used ? "," : "", i);
}

int main(int argc, char **argv)
{
    int rank, size, length;
    char host[MPI_MAX_PROCESSOR_NAME], folder[4096], processors[1024] = "", input[64] = "-";
    const char *shown = getenv("SHOWN"), *local = getenv(local_rank), *slash;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_processor_name(host, &length);
    if (rank > 0 || !fgets(input, sizeof input, stdin))
        strcpy(input, "-");
    input[strcspn(input, "\n")] = 0;
    slash = getcwd(folder, sizeof folder) ? strrchr(folder, '/') : "?";
    put_processors(processors, sizeof processors);
    printf("rank %d of %d on %s, LOCAL=%s, in %s, SHOWN=%s, processors %s, input=%s\n", rank, size, host, local ? local : "?", slash ? slash + 1 : folder,
           shown ? shown : "", processors, input);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
