/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/types.h"
#include "process/linked.h"

const char *environment_setting(const char *name)
{
    return secure_getenv(name);
}

const char *environment_wanted(const char *name)
{
    const char *value = environment_setting(name);
    return value && *value && strcmp(value, "0") != 0 ? value : 0;
}

/* True if a colon-separated list of paths has a file of this name, in whatever folder. */
static int is_file_of(const char *list, const char *name)
{
    size_t length = strlen(name);
    while (*list) {
        size_t listed = strcspn(list, ":");
        if (listed > length && list[listed - length - 1] == '/' && strncmp(list + listed - length, name, length) == 0)
            return 1;
        list += listed + (list[listed] == ':');
    }
    return 0;
}

static int needs_one_of(const gotswap_linked *object, const char *list)
{
    const char *needed;
    for (size_t i = 0; (needed = gotswap_string(object, DT_NEEDED, i)); i++)
        if (is_file_of(list, needed))
            return 1;
    return 0;
}

/* A list of libraries, and whether another object needs one of them. */
struct listed {
    const char *list;
    int is_needed;
};

static void find_user(const gotswap_list *loaded, void *context)
{
    struct listed *listed = context;
    for (size_t i = 0; i < loaded->count && !listed->is_needed; i++) {
        const gotswap_linked *object = &loaded->objects[i];
        listed->is_needed = !is_listed(listed->list, object->name, strlen(object->name)) && needs_one_of(object, listed->list);
    }
}

/* True if something besides the listed libraries themselves was linked against one of them. */
static int is_needed(const char *list)
{
    struct listed listed = { list, 0 };
    linked_look(find_user, &listed);
    return listed.is_needed;
}

static void remove_from_preload(const char *libraries)
{
    const char *preload = getenv("LD_PRELOAD");
    char *kept = preload ? calloc(1, strlen(preload) + 2) : 0;
    if (!kept)
        return;
    for (const char *part = preload; *part;) {
        size_t length = strcspn(part, ": ");
        if (length > 0 && !is_listed(libraries, part, length))
            strncat(strcat(kept, ":"), part, length);
        part += length + (part[length] != 0);
    }
    if (kept[0])
        setenv("LD_PRELOAD", kept + 1, 1);
    else
        unsetenv("LD_PRELOAD");
    free(kept);
    /* Only while this is set does the guard stay in what a process starts. */
    unsetenv("MPI_ADAPTER_LIBRARY_PATH");
}

int environment_loaded(void)
{
    const char *libraries = environment_setting("MPI_ADAPTER_PRELOAD");
    int is_wanted = !libraries || is_needed(libraries);
    if (libraries && is_wanted)
        remove_from_preload(libraries);
    return is_wanted;
}

void environment_started(void)
{
    const char *libraries = environment_setting("MPI_ADAPTER_PRELOAD");
    if (libraries)
        remove_from_preload(libraries);
}

/* Leaves out a value of several lines. */
static void add_line(FILE *lines, const char *name)
{
    const char *value = getenv(name);
    if (value && *value && !strchr(value, '\n'))
        fprintf(lines, "%s=%s\n", name, value);
}

char *environment_of_children(void)
{
    const char *libraries = environment_setting("MPI_ADAPTER_PRELOAD"), *preload = getenv("LD_PRELOAD");
    char *text = 0;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);
    if (!lines)
        return 0;
    add_line(lines, "LD_LIBRARY_PATH");
    add_line(lines, "MPI_ADAPTER_HOST_LIBRARY");
    add_line(lines, "MPI_ADAPTER_MPI_RELEASE");
    add_line(lines, "MPI_ADAPTER_MPI_VERSION");
    add_line(lines, "MPI_ADAPTER_NAMES");
    add_line(lines, "MPI_ADAPTER_PRELOAD");
    /* The libraries that were removed go behind those that were kept, as the command had them. */
    if (libraries && *libraries && !strchr(libraries, '\n') && !(preload && strchr(preload, '\n')))
        fprintf(lines, "LD_PRELOAD=%s%s%s\n", preload ? preload : "", preload && *preload ? ":" : "", libraries);
    if (fclose(lines) != 0 || size == 0) {
        free(text);
        return 0;
    }
    text[size - 1] = 0;
    return text;
}
