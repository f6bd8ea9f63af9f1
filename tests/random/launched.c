/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that leaves in `said`, beside it, a file with all that its launch line may say: rank, size and place on its host, as variables of
 * the program's own launcher have them, host, folder, variables, arguments, processors, and, for the first rank, the input. It is
 * linked to MPI, and does not call it. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

#ifdef OPEN_MPI
static const char *const places[] = { "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE" };
#else
static const char *const places[] = { "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS" };
#endif
static const char *const names[] = { "SHOWN", "Shown_2", "SHOWN_3", "http_proxy" };

/* Returns the name that the ssh of these tests gives other hosts. */
static const char *host_name(void)
{
    const char *name = getenv("FALSE_HOST");
    return name ? name : "node1";
}

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "unset";
}

int main(int argc, char **argv)
{
    char path[4096], input[64] = "none";
    int (*volatile needed)(int *) = MPI_Initialized;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
    char *slash = length > 0 ? memrchr(path, '/', (size_t)length) : 0, *folder = getcwd(0, 0);
    cpu_set_t set;
    FILE *file;
    if (!slash || !folder || !needed)
        return 1;
    *slash = 0;
    const char *under = strncmp(folder, path, strlen(path)) == 0 ? folder + strlen(path) : folder;
    if (strcmp(variable(places[0]), "0") == 0 && !fgets(input, sizeof input, stdin))
        strcpy(input, "empty");
    input[strcspn(input, "\n")] = 0;
    snprintf(slash, 64, "/said/%s.%d", variable(places[0]), (int)getpid());
    file = fopen(path, "w");
    if (!file)
        return 1;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        fprintf(file, "%s ", variable(places[i]));
    fprintf(file, "on %s, in HERE%s, wrapped: %s, input: %s\n", host_name(), under, variable("WRAPPED"), input);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        fprintf(file, "%s%c%s\n", names[i], getenv(names[i]) ? '=' : ' ', variable(names[i]));
    for (int i = 1; i < argc; i++)
        fprintf(file, "argument %s\n", argv[i]);
    fprintf(file, "processors");
    sched_getaffinity(0, sizeof set, &set);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &set))
            fprintf(file, " %d", i);
    fprintf(file, "\n");
    fclose(file);
    puts("rank");
    return 0;
}
