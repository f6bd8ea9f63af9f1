/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/spliced.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "convert/say.h"
#include "process/linked.h"

/* The adapter's path, by which the dynamic linker found it. */
struct adapter_path {
    char path[PATH_MAX];
};

static void note_own_path(const gotswap_list *list, void *context)
{
    struct adapter_path *own = context;
    for (size_t i = 0; i < list->count; i++)
        if ((const void *)note_own_path >= list->objects[i].base && (const void *)note_own_path < list->objects[i].end)
            snprintf(own->path, sizeof own->path, "%s", list->objects[i].name);
}

/* Writes the path of the tree's record. Returns 0 where the adapter was loaded from the pair's own folder. */
static int find_record(char record[PATH_MAX])
{
    struct adapter_path own = { "" };
    linked_look(note_own_path, &own);
    int length = (int)(linked_file(own.path) - own.path);
    return length >= 2 && !linked_is_pair_folder(own.path, (size_t)length - 1) &&
           snprintf(record, PATH_MAX, "%.*s.mpi-adapter/host", length, own.path) < PATH_MAX;
}

char *spliced_host(void preload(const char *path))
{
    static const char mark[] = "preload ", unfinished[] = "unfinished ";
    char record[PATH_MAX], line[sizeof mark + PATH_MAX], *its_host = 0;
    FILE *file = find_record(record) ? fopen(record, "re") : 0;
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        const char *tree = line + sizeof unfinished - 1;
        /* Other libraries of the tree may still be those of before. */
        if (strncmp(line, unfinished, sizeof unfinished - 1) == 0)
            give_up("the splice of %s is not finished; wait for its end if it is running, or run 'mpi-adapter splice --undo %s'", tree, tree);
        if (strncmp(line, mark, sizeof mark - 1) == 0 && preload)
            preload(line + sizeof mark - 1);
        else if (!its_host && line[0] == '/')
            its_host = strdup(line);
    }
    if (file)
        fclose(file);
    return its_host;
}
