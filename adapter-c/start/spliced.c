/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "start/spliced.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "process/linked.h"

/* The adapter's path, by which the dynamic linker found it. */
struct adapter_request {
    char path[PATH_MAX];
};

static void note_own_path(const gotswap_list *list, void *context)
{
    struct adapter_request *own = context;
    for (size_t i = 0; i < list->count; i++)
        if ((const void *)spliced_host >= list->objects[i].base && (const void *)spliced_host < list->objects[i].end)
            snprintf(own->path, sizeof own->path, "%s", list->objects[i].name);
}

char *spliced_host(void)
{
    struct adapter_request own = { "" };
    char record[PATH_MAX], host[PATH_MAX] = "";
    linked_look(note_own_path, &own);
    int length = (int)(linked_file(own.path) - own.path);
    if (length < 2 || linked_is_pair_folder(own.path, (size_t)length - 1) ||
        snprintf(record, sizeof record, "%.*s.mpi-adapter/host", length, own.path) >= PATH_MAX)
        return 0;
    FILE *file = fopen(record, "re");
    if (file && fgets(host, sizeof host, file))
        host[strcspn(host, "\n")] = 0;
    if (file)
        fclose(file);
    return host[0] == '/' ? strdup(host) : 0;
}
