/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/namesake.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "convert/facts.h"
#include "host_libraries.h"
#include "isolate/slots.h"
#include "process/linked.h"
#include "process/needed.h"
#include "process/search_folders.h"

/* Libraries need each other in no circle; a damaged file may say otherwise. */
enum { DEPTH = 8 };

/* The folder of a library, with the slash. */
static int folder_length(const char *path)
{
    return (int)(linked_file(path) - path);
}

static const char *own_path(void)
{
    Dl_info own;
    return dladdr((void *)&slots_start, &own) && own.dli_fname ? own.dli_fname : "";
}

/* folder + name into `path`, if there is such a file that does not lie beside the adapter. */
static int is_there(char *path, const char *folder, int length, const char *name)
{
    const char *own = own_path();
    int own_length = folder_length(own), slash = length > 0 && folder[length - 1] != '/';
    if (length == 0 || (own_length == length + slash && strncmp(own, folder, (size_t)length) == 0))
        return 0;
    return snprintf(path, PATH_MAX, "%.*s%s%s", length, folder, slash ? "/" : "", name) < PATH_MAX && access(path, R_OK) == 0;
}

/* Looks where the dynamic linker would: LD_LIBRARY_PATH, and its own folders. */
static int find_in_folders(char *path, const char *name)
{
    Dl_serinfo *folders = search_folders(object_with(&slots_start));
    int found = 0;
    for (unsigned i = 0; folders && i < folders->dls_cnt && !found; i++)
        found = is_there(path, folders->dls_serpath[i].dls_name, (int)strlen(folders->dls_serpath[i].dls_name), name);
    free(folders);
    return found;
}

static int load_needed(const char *path, int depth);

/* A library that the one at `path` needs, looked for beside it and where the dynamic linker would. */
static int load_namesake(const char *path, const char *name, int depth)
{
    char real[PATH_MAX], found[PATH_MAX];
    if (!realpath(path, real) || !(is_there(found, real, folder_length(real), name) || find_in_folders(found, name)))
        return 0;
    int loaded = load_needed(found, depth + 1);
    void *handle = dlopen(found, RTLD_LAZY | HOST_SCOPE);
    if (!handle)
        return loaded;
    slots_namesake(handle);
    return loaded + 1;
}

/* A library that names what it needs. */
struct needing {
    const char *path;
    int depth;
};

static int load_entry(const char *name, const void *context)
{
    const struct needing *needing = context;
    return is_listed(application_sonames, name, strlen(name)) ? load_namesake(needing->path, name, needing->depth) : 0;
}

static int load_needed(const char *path, int depth)
{
    struct needing needing = { path, depth };
    return depth < DEPTH ? needed_each(path, load_entry, &needing) : 0;
}

int namesakes_load(const char *library)
{
    char path[PATH_MAX];
    if (!host_has_namesakes)
        return 0;
    if (strchr(library, '/'))
        return load_needed(library, 0);
    return find_in_folders(path, library) ? load_needed(path, 0) : 0;
}
