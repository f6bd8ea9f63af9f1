/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapter.h"
#include "config.h"
#include "environment.h"
#include "tools.h"

/* What launchers tell the processes they start. `rank` is there only for those that were. */
static const struct launcher {
    const char *family; /* whose own launcher it is, or null */
    const char *name;
    const char *rank, *size;
} launchers[] = {
    { "openmpi", "Open MPI's launcher", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE" },
    { "mpich", "a launcher with PMI (Hydra)", "PMI_RANK", "PMI_SIZE" },
    { 0, "srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS" },
    { 0, "flux", "FLUX_TASK_RANK", "FLUX_JOB_SIZE" },
    { 0, "mpirun_rsh", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE" },
    { 0, "a launcher with PMIx", "PMIX_RANK", 0 },
};
enum { LAUNCHERS = sizeof launchers / sizeof *launchers };

/* A variable's number, or -1. */
static int number_of(const char *variable)
{
    const char *value = variable ? getenv(variable) : 0;
    char *end;
    long number = value ? strtol(value, &end, 10) : -1;
    return value && *value && !*end && number >= 0 && number <= 0x7fffffff ? (int)number : -1;
}

static int is_host(const struct launcher *launcher)
{
    return launcher->family && strcmp(launcher->family, HOST_FAMILY) == 0;
}

int launcher_rank(void)
{
    int rank = -1;
    for (int own = 1; own >= 0; own--) /* the host's own first */
        for (int i = 0; i < LAUNCHERS && rank < 0; i++)
            if (is_host(&launchers[i]) == own)
                rank = number_of(launchers[i].rank);
    return rank;
}

/* How many processes the launcher started, as far as it tells; 0 if it did not start this one. */
static int count(const struct launcher *launcher)
{
    int rank = number_of(launcher->rank), size = number_of(launcher->size);
    return rank < 0 ? 0 : size >= 0 ? size : rank + 1;
}

/* True if one of the folders of PATH has the command. */
static int is_command(const char *name)
{
    const char *path = getenv("PATH");
    char file[4096];
    while (path && *path) {
        int length = (int)strcspn(path, ":");
        if (snprintf(file, sizeof file, "%.*s/%s", length, path, name) < (int)sizeof file && access(file, X_OK) == 0)
            return 1;
        path += length + (path[length] == ':');
    }
    return 0;
}

/* The host's launcher: the first that is here of those its family has, or else the first. */
static const char *command(void)
{
    static const char *const commands[] = { HOST_LAUNCHERS };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (is_command(commands[i]))
            return commands[i];
    return commands[0];
}

/* How builds of the host usually find each other under Slurm. */
static const char *slurm_command(void)
{
    return strcmp(HOST_FAMILY, "openmpi") == 0 ? "srun --mpi=pmix, " : "srun --mpi=pmi2, ";
}

static int was_spawned(void)
{
    host_comm parent = HOST_MPI_COMM_NULL;
    tools_behind()->MPI_Comm_get_parent(&parent);
    return HOST_COMM_BITS(parent) != HOST_COMM_BITS(HOST_MPI_COMM_NULL);
}

static int is_allowed(void)
{
    const char *allowed = environment_setting("MPI_ADAPTER_SINGLETONS");
    return allowed && *allowed && strcmp(allowed, "0") != 0;
}

/* The launcher that started this process as one of several. One process of the host's own launcher may
 * have been started within a job of another. */
static const struct launcher *find_other(void)
{
    const struct launcher *found = 0;
    for (int i = 0; i < LAUNCHERS; i++) {
        if (is_host(&launchers[i]) && count(&launchers[i]) == 1)
            return 0;
        if (!found && count(&launchers[i]) > 1)
            found = &launchers[i];
    }
    return found;
}

void launcher_check(int size)
{
    const struct launcher *other = size == 1 && !is_allowed() ? find_other() : 0;
    char several[24] = "several";
    if (!other || was_spawned())
        return;
    if (number_of(other->size) > 1)
        snprintf(several, sizeof several, "%d", count(other));
    give_up("this program runs on %s but was started by %s, so each of its %s processes is rank 0 of 1; start it with "
            "%s%s or mpi-adapter run, or set MPI_ADAPTER_SINGLETONS=1 if each is to be alone",
            HOST_FAMILY, other->name, several, number_of("SLURM_STEP_ID") >= 0 ? slurm_command() : "", command());
}
