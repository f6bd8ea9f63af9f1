/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls/release.h"

#include <ctype.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "application_libraries.h"
#include "convert/say.h"
#include "process/environment.h"
#include "process/linked.h"
#include "process/needed.h"

#ifdef APP_IDENTITY

/* The releases of the tables, the oldest first. */
static const struct { const char *name; int version; } releases[] = { APP_RELEASES };
enum { RELEASES = sizeof releases / sizeof *releases };

static int is_release(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && text[digits] == '.' && isdigit((unsigned char)text[digits + 1]) &&
           text[strspn(text, "0123456789.abcdefghijklmnopqrstuvwxyz-+")] == 0;
}

/* Less than, equal to or greater than 0, by the numbers in both. */
static int compare_releases(const char *left, const char *right)
{
    for (;;) {
        long first = strtol(left, (char **)&left, 10), second = strtol(right, (char **)&right, 10);
        if (first != second)
            return first < second ? -1 : 1;
        if (*left != '.' || *right != '.')
            return 0;
        left++, right++;
    }
}

/* Returns the version of MPI of the newest known release that is not newer than this one. */
static int version_of_release(const char *name)
{
    int i = RELEASES - 1;
    while (i > 0 && compare_releases(releases[i].name, name) > 0)
        i--;
    return releases[i].version;
}

/* As realpath(), which takes 3 KiB of a stack. */
static int real_path(const char *path, char real[PATH_MAX])
{
    char link[32];
    int file = open(path, O_PATH | O_CLOEXEC);
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, real, PATH_MAX - 1);
    real[length > 0 ? length : 0] = 0;
    if (file >= 0)
        close(file);
    return length > 0;
}

/* The release that the file says, if it is a library of the application's MPI, and not one of a pair. */
static int release_of_file(const char *folder, const char *name, struct release *release)
{
    static const char *const symbols[] = { APP_RELEASE_SYMBOLS };
    /* Called once: too much for a small stack. */
    static char path[PATH_MAX], real[PATH_MAX], beside[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH_MAX || !real_path(path, real) ||
        snprintf(beside, sizeof beside, "%.*spair.conf", (int)(linked_file(real) - real), real) >= PATH_MAX || access(beside, F_OK) == 0)
        return 0;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (needed_text(real, symbols[i], release->name, sizeof release->name) > 0 && is_release(release->name))
            return 1;
    return 0;
}

/* Looks where the dynamic linker would: LD_LIBRARY_PATH, and its own folders. */
static int find_installed(struct release *release)
{
    static const char *const libraries[] = { APP_LIBRARIES };
    Dl_info self;
    struct link_map *own = 0; /* glibc's handle of it, for which dlopen() would take 3 KiB of a stack */
    Dl_serinfo size, *folders = 0;
    int found = 0;
    if (dladdr1((void *)release_told, &self, (void **)&own, RTLD_DL_LINKMAP) && dlinfo(own, RTLD_DI_SERINFOSIZE, &size) == 0 &&
        (folders = malloc(size.dls_size)) && dlinfo(own, RTLD_DI_SERINFOSIZE, folders) == 0 && dlinfo(own, RTLD_DI_SERINFO, folders) == 0)
        for (unsigned i = 0; i < folders->dls_cnt && !found; i++)
            for (size_t name = 0; name < sizeof libraries / sizeof *libraries && !found; name++)
                found = release_of_file(folders->dls_serpath[i].dls_name, libraries[name], release);
    free(folders);
    return found;
}

/* MPI_ADAPTER_MPI_RELEASE. */
static int find_set(struct release *release)
{
    const char *text = environment_setting("MPI_ADAPTER_MPI_RELEASE");
    if (!text || !*text)
        return 0;
    if (strlen(text) >= sizeof release->name || !is_release(text))
        give_up("MPI_ADAPTER_MPI_RELEASE is '%s'; set it to a release of the program's MPI, such as %s", text, releases[RELEASES - 1].name);
    strcpy(release->name, text);
    return 1;
}

static struct release told_release;
static int told_imported;

static void find_release(void)
{
    int is_set = find_set(&told_release), is_found = is_set || find_installed(&told_release);
    told_release.version = is_found ? version_of_release(told_release.name) : 0;
    if (!is_found || (!is_set && told_release.version < told_imported))
        strcpy(told_release.name, releases[RELEASES - 1].name);
    told_release.version = told_release.version < told_imported ? told_imported : told_release.version;
}

const struct release *release_told(int imported)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!told_release.version)
        told_imported = imported;
    pthread_once(&once, find_release);
    return &told_release;
}
#endif
