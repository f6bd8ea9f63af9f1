/* SPDX-License-Identifier: BSD-3-Clause */
/* The command lines by which a launcher that takes no environment for children starts them (docs/launchers.md). The host's procedures
 * that spawn are made up. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/adapter.h"
#include "require.h"

app_code MPI_Comm_spawn(const char *, char **, int, app_info, int, app_comm, app_comm *, int *);
app_code MPI_Comm_spawn_multiple(int, char **, char ***, const int *, const app_info *, int, app_comm, app_comm *, int *);

enum { LONGEST = 900 }; /* NAME=VALUE, as the page says */

/* The commands and their arguments, each with a space behind it. */
static char started[8 * LONGEST];

static void note(const char *command, char **argv)
{
    strcat(strcat(started, command), " ");
    for (; argv && *argv; argv++)
        strcat(strcat(started, *argv), " ");
}

static host_code spawn(const char *command, char **argv, int maxprocs, host_info info, int root, host_comm comm, host_comm *made, int *codes)
{
    note(command, argv);
    *made = HOST_MPI_COMM_NULL;
    return 0;
}

static host_code spawn_multiple(int count, char **commands, char ***argvs, const int *maxprocs, const host_info *infos, int root,
                                host_comm comm, host_comm *made, int *codes)
{
    for (int i = 0; i < count; i++)
        note(commands[i], argvs ? argvs[i] : 0);
    *made = HOST_MPI_COMM_NULL;
    return 0;
}

static host_code rank_of(host_comm comm, int *rank) { return *rank = 0; }
static host_code no_length(host_info info, const char *key, int *length, int *found) { return *found = 0; }

static void spawns(const char *program, const char *as)
{
    app_comm children;
    char *arguments[] = { (char *)"one", (char *)"two", 0 };
    started[0] = 0;
    CHECK(MPI_Comm_spawn(program, arguments, 1, APP_MPI_INFO_NULL, 0, APP_MPI_COMM_SELF, &children, APP_MPI_ERRCODES_IGNORE) == 0);
    CHECK(strcmp(started, as) == 0);
}

/* The same for a program without arguments, and one that has some, in one call. */
static void spawns_both(const char *as)
{
    app_comm children;
    char *programs[] = { (char *)"first", (char *)"second" }, *none[] = { 0 }, *some[] = { (char *)"last", 0 }, **arguments[] = { none, some };
    app_info infos[] = { APP_MPI_INFO_NULL, APP_MPI_INFO_NULL };
    started[0] = 0;
    CHECK(MPI_Comm_spawn_multiple(2, programs, arguments, (int[]){ 1, 1 }, infos, 0, APP_MPI_COMM_SELF, &children,
                                  APP_MPI_ERRCODES_IGNORE) == 0);
    CHECK(strcmp(started, as) == 0);
}

/* Sets a variable so that the setting NAME=VALUE is so long. */
static const char *set_long(const char *name, size_t length)
{
    static char setting[LONGEST + 2];
    memset(setting, 'x', length);
    setting[length] = 0;
    memcpy(setting, name, strlen(name));
    setting[strlen(name)] = '=';
    setenv(name, setting + strlen(name) + 1, 1);
    return setting;
}

int main(void)
{
    static const char *const names[] = { "LD_LIBRARY_PATH", "MPI_ADAPTER_HOST_LIBRARY", "MPI_ADAPTER_NAMES" };
    char line[4 * LONGEST];
    CHECK(host.MPI_Init(0, 0) == 0);
    host.MPI_Comm_rank = rank_of;
    host.MPI_Info_get_valuelen = no_length;
    host.MPI_Comm_spawn = spawn;
    host.MPI_Comm_spawn_multiple = spawn_multiple;
    for (int i = 0; i < 3; i++)
        unsetenv(names[i]);
    spawns("program", "program one two ");
    setenv(names[0], "a:b", 1);
    spawns("program", "/usr/bin/env LD_LIBRARY_PATH=a:b program one two ");
    setenv(names[1], "c", 1);
    setenv(names[2], "d", 1);
    spawns("program", "/usr/bin/env LD_LIBRARY_PATH=a:b MPI_ADAPTER_HOST_LIBRARY=c MPI_ADAPTER_NAMES=d program one two ");
    spawns("pro=gram", "pro=gram one two ");
    spawns_both("/usr/bin/env LD_LIBRARY_PATH=a:b MPI_ADAPTER_HOST_LIBRARY=c MPI_ADAPTER_NAMES=d first "
                "/usr/bin/env LD_LIBRARY_PATH=a:b MPI_ADAPTER_HOST_LIBRARY=c MPI_ADAPTER_NAMES=d second last ");
    /* Each setting may be so long, wherever it stands; one that is longer keeps all from the children. */
    for (int i = 0; i < 3; i++) {
        const char *setting = set_long(names[i], LONGEST);
        snprintf(line, sizeof line, "/usr/bin/env %s %s %s program one two ", i == 0 ? setting : "LD_LIBRARY_PATH=a",
                 i == 1 ? setting : "MPI_ADAPTER_HOST_LIBRARY=a", i == 2 ? setting : "MPI_ADAPTER_NAMES=a");
        for (int j = 0; j < 3; j++)
            if (j != i)
                setenv(names[j], "a", 1);
        spawns("program", line);
        for (int j = 0; j < 3; j++)
            set_long(names[j], LONGEST + (j == i));
        spawns("program", "program one two ");
        spawns_both("first second last ");
    }
    CHECK(host.MPI_Finalize() == 0);
    puts("right");
    return 0;
}
