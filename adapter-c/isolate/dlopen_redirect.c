/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/dlopen_redirect.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "convert/facts.h"
#include "process/linked.h"
#include "process/names.h"

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
    char plain[NAME_MAX + 1];
    name = unbundled_name(name, plain, sizeof plain) ? plain : name;
    size_t length = stem_length(name);
    const char *list = length > 0 ? application_sonames : 0;
    while (list && *list) {
        size_t same = 0;
        while (same < length && list[same] == name[same])
            same++;
        if (list[same] == '*' || (same == length && list[same] == '.'))
            return 1;
        list = strchr(list + same, ':');
        list = list ? list + 1 : 0;
    }
    return 0;
}

/* Returns the name that the library has among the adapter's, or null. For a path, that is the name of the file to which it leads,
 * cut after the soname. A name without a slash stays as it is, for it may have no version, unless it is a wheel's. */
static const char *name_in_adapter(const char *file, char real[PATH_MAX])
{
    char plain[NAME_MAX + 1];
    int is_path = strchr(file, '/') != 0;
    if (is_path && !realpath(file, real))
        return 0;
    char *name = is_path ? real + (linked_file(real) - real) : real;
    if (unbundled_name(is_path ? name : file, plain, sizeof plain))
        strcpy(name, plain);
    else if (!is_path)
        return file;
    return shorten_to_soname(name) ? name : 0;
}

/* A library that a program opens again and again, as Python's modules do: to find the adapter's takes several calls of the system.
 * Entries are complete before they are in the list, and are never freed. */
struct redirected {
    const struct redirected *next;
    char *path;
    dev_t device; /* of the file, if its name is a path; else 0 */
    ino_t inode;
    char file[];
};

enum { REDIRECTED = 32 };
static const struct redirected *redirected;
static int redirected_count;

/* Identifies the file that a path leads to: links and the current folder may change. */
static int identify_file(const char *file, struct stat *found)
{
    found->st_dev = 0;
    found->st_ino = 0;
    return !strchr(file, '/') || stat(file, found) == 0;
}

static const char *find_redirected(const char *file)
{
    const struct redirected *entry = __atomic_load_n(&redirected, __ATOMIC_ACQUIRE);
    struct stat found;
    while (entry && strcmp(entry->file, file) != 0)
        entry = entry->next;
    return entry && identify_file(file, &found) && found.st_dev == entry->device && found.st_ino == entry->inode ? entry->path : 0;
}

/* Best effort: without an entry, the next call looks again. */
static void remember_redirected(const char *file, const char *path)
{
    struct stat found;
    if (!identify_file(file, &found) || __atomic_add_fetch(&redirected_count, 1, __ATOMIC_RELAXED) > REDIRECTED)
        return;
    struct redirected *entry = malloc(sizeof *entry + strlen(file) + 1);
    if (!entry)
        return;
    entry->path = strdup(path);
    entry->device = found.st_dev;
    entry->inode = found.st_ino;
    strcpy(entry->file, file);
    entry->next = __atomic_load_n(&redirected, __ATOMIC_RELAXED);
    while (entry->path && !__atomic_compare_exchange_n(&redirected, &entry->next, entry, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        ;
}

/* Returns the path of the adapter's library in whose place the program names a file; null for any other file. */
static const char *find_in_adapter(const char *file)
{
    static _Thread_local char *path;
    char real[PATH_MAX];
    const char *name = name_in_adapter(file, real);
    Dl_info adapter;
    if (!name || !dladdr((void *)redirect, &adapter))
        return 0;
    free(path);
    if (asprintf(&path, "%.*s%s", (int)(linked_file(adapter.dli_fname) - adapter.dli_fname), adapter.dli_fname, name) < 0)
        path = 0;
    if (!path || access(path, R_OK) != 0)
        return 0;
    remember_redirected(file, path);
    return path;
}

const char *redirect(const char *file)
{
    if (!file || !may_be_application(linked_file(file)))
        return file;
    const char *path = find_redirected(file);
    path = path ? path : find_in_adapter(file);
    return path ? path : file;
}
