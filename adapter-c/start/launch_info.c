/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "start/launch_info.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "convert/adapter.h"
#include "layers/layers.h"
#include "process/implementation.h"

/* What values are made of. */
struct launch {
    int size;
    char command_line[HOST_MPI_MAX_INFO_VAL]; /* words that end with a null */
    size_t length;
    struct utsname machine;
};

static void read_command_line(struct launch *launch)
{
    FILE *file = fopen("/proc/self/cmdline", "re");
    launch->length = file ? fread(launch->command_line, 1, sizeof launch->command_line - 1, file) : 0;
    launch->command_line[launch->length] = 0;
    if (file)
        fclose(file);
}

/* Each puts a value into a room of HOST_MPI_MAX_INFO_VAL, or nothing. */
typedef void put_value(const struct launch *launch, char *value);

static void put_command(const struct launch *launch, char *value)
{
    const char *slash = strrchr(launch->command_line, '/');
    strcpy(value, slash ? slash + 1 : launch->command_line);
}

/* The words after the first, with spaces between. */
static void put_arguments(const struct launch *launch, char *value)
{
    size_t first = strlen(launch->command_line) + 1;
    if (first >= launch->length)
        return;
    memcpy(value, launch->command_line + first, launch->length - first);
    for (size_t i = 0; i + first + 1 < launch->length; i++)
        if (!value[i])
            value[i] = ' ';
    value[launch->length - first] = 0;
}

static void put_size(const struct launch *launch, char *value)
{
    snprintf(value, HOST_MPI_MAX_INFO_VAL, "%d", launch->size);
}

static void put_host(const struct launch *launch, char *value)
{
    strcpy(value, launch->machine.nodename);
}

static void put_architecture(const struct launch *launch, char *value)
{
    strcpy(value, launch->machine.machine);
}

static void put_folder(const struct launch *launch, char *value)
{
    if (!getcwd(value, HOST_MPI_MAX_INFO_VAL))
        value[0] = 0;
}

static void put_thread_level(const struct launch *launch, char *value)
{
    int level = HOST_MPI_THREAD_SINGLE;
    host_itself->MPI_Query_thread(&level);
    strcpy(value, level == HOST_MPI_THREAD_MULTIPLE     ? "MPI_THREAD_MULTIPLE"
                  : level == HOST_MPI_THREAD_SERIALIZED ? "MPI_THREAD_SERIALIZED"
                  : level == HOST_MPI_THREAD_FUNNELED   ? "MPI_THREAD_FUNNELED"
                                                        : "MPI_THREAD_SINGLE");
}

static const struct {
    const char *key;
    put_value *put;
} keys[] = {
    { "command", put_command },      { "argv", put_arguments }, { "maxprocs", put_size },
    { "soft", put_size },            { "host", put_host },      { "arch", put_architecture },
    { "wdir", put_folder },          { "thread_level", put_thread_level },
};

/* True if the list, with commas between, has the word. */
static int has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (; *list; list += strcspn(list, ","), list += *list == ',')
        if (strncmp(list, word, length) == 0 && (list[length] == ',' || !list[length]))
            return 1;
    return 0;
}

void launch_info_fill(int size)
{
    const char *given = application_info_env();
    char value[HOST_MPI_MAX_INFO_VAL + 1];
    struct launch launch = { .size = size };
    if (!*given || size <= 0)
        return;
    read_command_line(&launch);
    uname(&launch.machine);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        int length = 0, has_key = 0;
        value[0] = 0;
        if (!has_word(given, keys[i].key) ||
            host_itself->MPI_Info_get_valuelen(HOST_MPI_INFO_ENV, keys[i].key, &length, &has_key) != 0 || has_key)
            continue;
        keys[i].put(&launch, value);
        if (*value)
            host_itself->MPI_Info_set(HOST_MPI_INFO_ENV, keys[i].key, value);
    }
}
