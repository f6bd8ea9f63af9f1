/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/launcher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "convert/host_side.h"
#include "layers/layers.h"
#include "convert/say.h"
#include "process/environment.h"
#include "process/implementation.h"

/* A launcher, and the variables that it sets for the processes it starts. `rank` is null or set for these alone. */
struct launcher {
    const char *called;
    const char *rank, *size;
    const struct implementation *implementation; /* whose own launcher it is, or null */
};

#include "launchers.h" /* those that start any implementation's processes */
enum { OTHERS = sizeof others / sizeof *others };

/* Copies the launcher of this number; returns 0 after the last. Those of implementations come first. */
static int launcher_at(int number, struct launcher *launcher)
{
    const struct implementation *own;
    int count = 0;
    for (; (own = implementation_at(count)); count++)
        if (count == number)
            *launcher = (struct launcher){ own->called, own->rank, own->size, own };
    if (number >= count && number < count + OTHERS)
        *launcher = others[number - count];
    return number < count + OTHERS;
}

/* Returns the number in a variable, or -1. */
static int number_of(const char *variable)
{
    const char *value = variable ? getenv(variable) : 0;
    char *end;
    long number = value ? strtol(value, &end, 10) : -1;
    return value && *value && !*end && number >= 0 && number <= 0x7fffffff ? (int)number : -1;
}

static int is_of_host(const struct launcher *launcher)
{
    return launcher->implementation == implementation();
}

/* Finds the launcher that gave this process its rank. Returns the rank, or -1. */
static int find_launcher(struct launcher *launcher)
{
    int rank = -1;
    for (int of_host = 1; rank < 0 && of_host >= 0; of_host--) /* the host's launcher first */
        for (int i = 0; rank < 0 && launcher_at(i, launcher); i++)
            if (is_of_host(launcher) == of_host)
                rank = number_of(launcher->rank);
    return rank;
}

int launcher_rank(void)
{
    struct launcher launcher;
    return find_launcher(&launcher);
}

const char *launcher_name(void)
{
    struct launcher launcher;
    return find_launcher(&launcher) < 0 ? "none" : launcher.called;
}

int launcher_programs(void)
{
    struct launcher launcher;
    int known = find_launcher(&launcher) >= 0 && launcher.implementation;
    int programs = known ? number_of(launcher.implementation->programs) : 0;
    return programs > 0 ? programs : 0;
}

/* Returns how many processes the launcher started, as far as it tells; 0 if it did not start this one. */
static int process_count(const struct launcher *launcher)
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

/* Returns the host's launcher: the first one in PATH of those its implementation has, or else the first. */
static const char *host_launcher(void)
{
    const char *const *commands = implementation()->launchers;
    for (int i = 0; commands[i]; i++)
        if (is_command(commands[i]))
            return commands[i];
    return commands[0];
}

static int was_spawned(void)
{
    host_comm parent = HOST_MPI_COMM_NULL;
    host_itself->MPI_Comm_get_parent(&parent);
    return HOST_COMM_BITS(parent) != HOST_COMM_BITS(HOST_MPI_COMM_NULL);
}

static int is_allowed(void)
{
    return environment_wanted("MPI_ADAPTER_SINGLETONS") != 0;
}

/* Finds the launcher that started this process as one of several. Returns how many; 0 if none did, or if the host's launcher
 * started one process, perhaps within another one's job. */
static int find_other_launcher(struct launcher *found)
{
    struct launcher launcher;
    int several = 0;
    for (int i = 0; launcher_at(i, &launcher); i++) {
        if (is_of_host(&launcher) && process_count(&launcher) == 1)
            return 0;
        if (!several && process_count(&launcher) > 1) {
            *found = launcher;
            several = process_count(found);
        }
    }
    return several;
}

void launcher_check(int size)
{
    struct launcher other;
    int count = size == 1 && !is_allowed() ? find_other_launcher(&other) : 0, is_slurm = number_of("SLURM_STEP_ID") >= 0;
    char several[24] = "several";
    if (!count || was_spawned())
        return;
    if (number_of(other.size) > 1)
        snprintf(several, sizeof several, "%d", count);
    give_up("this program runs on %s but was started by %s, so each of its %s processes is rank 0 of 1; start it with "
            "%s%s%s%s or mpi-adapter run, or set MPI_ADAPTER_SINGLETONS=1 if each is to be alone",
            HOST_FAMILY, other.called, several, is_slurm ? "srun --mpi=" : "", is_slurm ? implementation()->slurm : "",
            is_slurm ? ", " : "", host_launcher());
}
