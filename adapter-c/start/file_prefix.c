/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/file_prefix.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "convert/facts.h"
#include "host.h"
#include "layers/layers.h"
#include "process/implementation.h"

#define FILE_NAMES(each) each(MPI_File_open) each(MPI_File_delete)
LAYER_PART(file_names, FILE_NAMES);

/* Returns the length of the prefix that a name begins with, of a list with spaces between, or 0. */
static size_t prefix_length(const char *list, const char *name)
{
    for (size_t length; list && *list; list += length + (list[length] == ' ')) {
        length = strcspn(list, " ");
        if (strncmp(list, name, length) == 0)
            return length;
    }
    return 0;
}

/* Returns the file that the program means, in the host's words. A host with prefixes refuses other names with a colon, so it gets
 * the whole name behind its first prefix. */
static const char *name_for_host(const char *name, char room[PATH_MAX])
{
    const char *hosts = implementation()->file_prefixes;
    size_t own = name ? prefix_length(application_file_prefixes, name) : 0;
    if (own)
        return prefix_length(hosts, name) ? name : name + own;
    if (!name || !hosts || *application_file_prefixes || !strchr(name, ':'))
        return name;
    return snprintf(room, PATH_MAX, "%.*s%s", (int)strcspn(hosts, " "), hosts, name) < PATH_MAX ? room : name;
}

static host_code open_prefixed(host_comm comm, const char *filename, int amode, host_info info, host_file *file)
{
    char room[PATH_MAX];
    return NEXT(file_names, MPI_File_open)(comm, name_for_host(filename, room), amode, info, file);
}

static host_code delete_file(const char *filename, host_info info)
{
    char room[PATH_MAX];
    return NEXT(file_names, MPI_File_delete)(name_for_host(filename, room), info);
}

void file_prefixes_start(void)
{
    if (!application_file_prefixes)
        return;
    LAYER_INSTALL(LAYER_FILE_NAME, file_names, OVERRIDE(file_names, MPI_File_open, open_prefixed), OVERRIDE(file_names, MPI_File_delete, delete_file));
}
