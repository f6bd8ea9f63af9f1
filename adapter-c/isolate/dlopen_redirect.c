/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/dlopen_redirect.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "convert/facts.h"
#include "process/linked.h"

/* The length of a name without its version: libmpi.so. */
static size_t stem_length(const char *name)
{
    const char *suffix = strstr(name, ".so");
    return suffix ? (size_t)(suffix - name) + 3 : 0;
}

/* True if the name without its version is that of a library of the application's MPI. This is cheap, and false of most files that
 * programs open. */
static int may_be_application(const char *name)
{
    size_t length = stem_length(name), listed;
    for (const char *list = application_sonames; length > 0 && *list; list += listed + (list[listed] == ':')) {
        size_t star = strcspn(list, ":*");
        listed = star + strcspn(list + star, ":");
        if (listed > star && length >= star && strncmp(list, name, star) == 0)
            return 1;
        if (listed > length && strncmp(list, name, length) == 0 && list[length] == '.')
            return 1;
    }
    return 0;
}

/* Shortens libmpi.so.40.30.4 to the longest name that is listed; returns 0 if none is. */
static int make_soname(char *name)
{
    size_t stem = stem_length(name), length = strlen(name);
    for (char *dot; length > stem; length = (size_t)(dot - name)) {
        if (is_listed(application_sonames, name, length)) {
            name[length] = 0;
            return 1;
        }
        dot = memrchr(name, '.', length);
    }
    return 0;
}

/* Returns the name that the library has among the adapter's, or null. For a path, that is the name of the file to which it leads,
 * cut after the soname. A name without a slash stays as it is, for it may have no version. */
static const char *name_in_adapter(const char *file, char real[PATH_MAX])
{
    if (!strchr(file, '/'))
        return file;
    if (!realpath(file, real))
        return 0;
    char *name = real + (linked_file(real) - real);
    return make_soname(name) ? name : 0;
}

const char *redirect(const char *file)
{
    static _Thread_local char *path;
    char real[PATH_MAX];
    const char *name = file && may_be_application(linked_file(file)) ? name_in_adapter(file, real) : 0;
    Dl_info adapter;
    if (!name || !dladdr((void *)redirect, &adapter))
        return file;
    free(path);
    if (asprintf(&path, "%.*s%s", (int)(linked_file(adapter.dli_fname) - adapter.dli_fname), adapter.dli_fname, name) < 0)
        path = 0;
    return path && access(path, R_OK) == 0 ? path : file;
}
