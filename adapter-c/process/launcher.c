/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/launcher.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "convert/host_side.h"
#include "convert/facts.h"
#include "layers/layers.h"
#include "convert/say.h"
#include "process/environment.h"
#include "process/implementation.h"
#include "process/rank_variables.h"

/* Returns the implementation whose own launcher this is, or null. */
static const struct implementation *owner_of(int launcher)
{
    const struct implementation *own;
    for (int i = 0; (own = implementation_at(i)); i++)
        if (strcmp(own->launcher, rank_launcher_at(launcher)->name) == 0)
            break;
    return own;
}

static int is_of_host(int launcher)
{
    return strcmp(rank_launcher_at(launcher)->name, implementation()->launcher) == 0;
}

/* Finds the launcher that gave this process its rank. Returns the rank, or -1. */
static int find_launcher(int *launcher)
{
    int rank = -1;
    for (int of_host = 1; rank < 0 && of_host >= 0; of_host--) /* the host's launcher first */
        for (int i = 0; rank < 0 && rank_launcher_at(i); i++)
            if (is_of_host(i) == of_host) {
                rank = rank_told(environ, i, RANK_RANK);
                *launcher = i;
            }
    return rank;
}

int launcher_rank(void)
{
    int launcher;
    return find_launcher(&launcher);
}

const char *launcher_name(void)
{
    int launcher;
    return find_launcher(&launcher) < 0 ? "none" : rank_launcher_at(launcher)->called;
}

/* Returns the number in a variable, or -1. */
static int number_of(const char *variable)
{
    const char *value = variable ? getenv(variable) : 0;
    char *end;
    long number = value ? strtol(value, &end, 10) : -1;
    return value && *value && !*end && number >= 0 && number <= 0x7fffffff ? (int)number : -1;
}

int launcher_programs(void)
{
    int launcher;
    const struct implementation *own = find_launcher(&launcher) >= 0 ? owner_of(launcher) : 0;
    int programs = own ? number_of(own->programs) : 0;
    return programs > 0 ? programs : 0;
}

void launcher_tell_application(void)
{
    struct rank_plan plan;
    if (rank_removed(environ, application_told))
        return;
    rank_plan_make(&plan, environ, application_told, implementation()->launcher);
    for (int i = 0; i < plan.count; i++) {
        char *value = strchr(plan.words[i], '=');
        if (value)
            *value++ = 0;
        if (!value)
            unsetenv(plan.words[i]);
        else if (!getenv(plan.words[i]) || strcmp(getenv(plan.words[i]), value) != 0)
            setenv(plan.words[i], value, 1);
    }
}

/* True if the variable, NAME=VALUE, leads to a launcher. */
static int is_connection(const char *variable)
{
    const char *beginning;
    for (int i = 0; (beginning = rank_variable_of(RANK_CONNECTION, i)); i++)
        if (strncmp(variable, beginning, strlen(beginning)) == 0)
            return 1;
    return 0;
}

static void remove_connections(void)
{
    char name[256];
    for (char **entry = environ; *entry;) {
        size_t length = strcspn(*entry, "=");
        if (length >= sizeof name || !is_connection(*entry)) {
            entry++;
            continue;
        }
        memcpy(name, *entry, length);
        name[length] = 0;
        unsetenv(name); /* which moves the others up */
    }
}

static int left_outer_job;

void launcher_leave_outer_job(void)
{
    const char *removed = rank_removed(environ, application_told);
    if (!removed)
        return;
    if (!rank_is_taken(environ))
        complain("process %d starts alone, as %s was removed from its environment; keep that for a process of the launcher's job",
                 (int)getpid(), removed);
    remove_connections();
    left_outer_job = 1;
}

void launcher_note_rank_taken(void)
{
    char mark[8192];
    if (!left_outer_job && !rank_is_taken(environ) && rank_mark_taken(mark, sizeof mark, environ))
        setenv(RANK_MARK, mark, 1);
}

unsigned long rank_socket_at(int descriptor)
{
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode) ? (unsigned long)status.st_ino : 0;
}

/* Returns how many processes the launcher started, as far as it tells; 0 if it did not start this one. */
static int process_count(int launcher)
{
    int rank = rank_told(environ, launcher, RANK_RANK), size = rank_told(environ, launcher, RANK_SIZE);
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

/* Writes the prefix of the host's installation, what is ahead of the last /lib of its library. Returns its length; 0 for the system's. */
static int host_prefix(const char **file)
{
    Dl_info info;
    const char *lib = 0;
    if (!dladdr((void *)host_itself->MPI_Init, &info) || !info.dli_fname)
        return 0;
    for (const char *at = info.dli_fname; (at = strstr(at, "/lib")); at++)
        lib = strncmp(at, "/libmpi", 7) == 0 ? lib : at;
    *file = info.dli_fname;
    return lib && !(lib - *file == 4 && strncmp(*file, "/usr", 4) == 0) ? (int)(lib - *file) : 0;
}

/* Returns the host's launcher: that of its installation, or the first one in PATH of those its implementation has, or else the first. */
static const char *host_launcher(void)
{
    static char own[4096];
    const char *const *commands = implementation()->launchers, *file;
    int length = host_prefix(&file);
    for (int i = 0; length > 0 && commands[i]; i++)
        if (snprintf(own, sizeof own, "%.*s/bin/%s", length, file, commands[i]) < (int)sizeof own && access(own, X_OK) == 0)
            return own;
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

/* Finds the launcher that started this process as one of several. Returns how many; 0 if none did, or if the host's launcher
 * started one process, perhaps within another one's job. */
static int find_other_launcher(int *found)
{
    int several = 0;
    for (int i = 0; rank_launcher_at(i); i++) {
        if (is_of_host(i) && process_count(i) == 1)
            return 0;
        if (!several && process_count(i) > 1) {
            *found = i;
            several = process_count(i);
        }
    }
    return several;
}

void launcher_check(int size)
{
    int is_suspicious = size == 1 && !left_outer_job && !environment_wanted("MPI_ADAPTER_SINGLETONS");
    int other, count = is_suspicious ? find_other_launcher(&other) : 0;
    int is_slurm = number_of("SLURM_STEP_ID") >= 0;
    char several[24] = "several";
    if (!count || was_spawned())
        return;
    if (rank_told(environ, other, RANK_SIZE) > 1)
        snprintf(several, sizeof several, "%d", count);
    give_up("this program runs on %s but was started by %s, so each of its %s processes is rank 0 of 1; start it with "
            "%s%s%s%s or mpi-adapter run, or set MPI_ADAPTER_SINGLETONS=1 if each is to be alone",
            HOST_FAMILY, rank_launcher_at(other)->called, several, is_slurm ? "srun --mpi=" : "", is_slurm ? implementation()->slurm : "",
            is_slurm ? ", " : "", host_launcher());
}
