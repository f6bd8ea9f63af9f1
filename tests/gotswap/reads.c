/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dependencies are shown without reading /proc/self/maps where the loader's
 * names are absolute paths, and rightly where they are not.
 * Argument: a library without a soname, by its relative path.
 */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int reads;

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = (flags & O_CREAT) ? va_arg(arguments, int) : 0;
    va_end(arguments);
    reads += strcmp(path, "/proc/self/maps") == 0;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* Keeps the path of the first object. */
static int keep_first(const char *path, const void *base, void *context)
{
    char *first = context;
    CHECK(base && path[0] == '/');
    if (!*first)
        strcpy(first, path);
    return 0;
}

static void shows(const char *name, const char *expected, int expected_reads)
{
    char first[PATH_MAX] = "";
    reads = 0;
    CHECK(gotswap_each_dependency(name, keep_first, first) == GOTSWAP_OK);
    CHECK(strcmp(first, expected) == 0);
    CHECK(reads == expected_reads);
}

int main(int argc, char **argv)
{
    char library[PATH_MAX];
    char own[PATH_MAX];
    CHECK(argc == 2 && argv[1][0] != '/' && realpath(argv[1], library));
    CHECK(realpath("/proc/self/exe", own));
    void *handle = dlopen(library, RTLD_NOW);
    CHECK(handle);
    shows(library, library, 0);
    shows(strrchr(library, '/') + 1, library, 0);
    shows(NULL, own, 1);
    CHECK(dlclose(handle) == 0);

    /* The name is relative to a directory that was left. */
    CHECK(dlopen(argv[1], RTLD_NOW) && chdir("/") == 0);
    shows(strrchr(library, '/') + 1, library, 1);
    return 0;
}
