/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "process/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* True if a part of a colon-separated list is a file of this name in some folder. */
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

/* What is asked about the listed libraries. */
struct question {
    const char *list;
    int is_needed;
};

static void answer(const gotswap_list *loaded, void *context)
{
    struct question *question = context;
    for (size_t i = 0; i < loaded->count && !question->is_needed; i++) {
        const gotswap_linked *object = &loaded->objects[i];
        question->is_needed = !is_listed(question->list, object->name, strlen(object->name)) &&
                              needs_one_of(object, question->list);
    }
}

/* True if something besides the listed libraries themselves was linked against one of them. */
static int is_needed(const char *list)
{
    struct question question = { list, 0 };
    linked_look(answer, &question);
    return question.is_needed;
}

static void leave_preload(const char *own)
{
    const char *preload = getenv("LD_PRELOAD");
    char *kept = preload ? calloc(1, strlen(preload) + 2) : 0;
    if (!kept)
        return;
    for (const char *part = preload; *part;) {
        size_t length = strcspn(part, ": ");
        if (length > 0 && !is_listed(own, part, length))
            strncat(strcat(kept, ":"), part, length);
        part += length + (part[length] != 0);
    }
    if (kept[0])
        setenv("LD_PRELOAD", kept + 1, 1);
    else
        unsetenv("LD_PRELOAD");
    free(kept);
}

void environment_loaded(void)
{
    const char *own = environment_setting("MPI_ADAPTER_PRELOAD");
    if (own && is_needed(own))
        leave_preload(own);
}

void environment_started(void)
{
    const char *own = environment_setting("MPI_ADAPTER_PRELOAD");
    if (own)
        leave_preload(own);
}

/* A value of several lines has no line. */
static void add_line(FILE *lines, const char *name)
{
    const char *value = getenv(name);
    if (value && *value && !strchr(value, '\n'))
        fprintf(lines, "%s=%s\n", name, value);
}

char *environment_of_children(void)
{
    const char *own = environment_setting("MPI_ADAPTER_PRELOAD"), *preload = getenv("LD_PRELOAD");
    char *text = 0;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);
    if (!lines)
        return 0;
    add_line(lines, "LD_LIBRARY_PATH");
    add_line(lines, "MPI_ADAPTER_HOST_LIBRARY");
    add_line(lines, "MPI_ADAPTER_MPI_VERSION");
    add_line(lines, "MPI_ADAPTER_PRELOAD");
    /* What was taken out, behind what was kept, as the command had it. */
    if (own && *own && !strchr(own, '\n') && !(preload && strchr(preload, '\n')))
        fprintf(lines, "LD_PRELOAD=%s%s%s\n", preload ? preload : "", preload && *preload ? ":" : "", own);
    if (fclose(lines) != 0 || size == 0) {
        free(text);
        return 0;
    }
    text[size - 1] = 0;
    return text;
}
