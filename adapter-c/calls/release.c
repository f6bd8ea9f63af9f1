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
#include "calls/version.h"
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

/* Sums up the exports of an installed library. */
struct exports {
    int is_mpi, version, is_makers;
};

static void see_export(const char *name, void *context)
{
    struct exports *exports = context;
    int version = strncmp(name, "MPI_", 4) == 0 ? version_of_symbol(name) : 0;
    exports->is_mpi |= strcmp(name, "MPI_Init") == 0;
#ifdef APP_MAKER
    exports->is_makers |= strncmp(name, APP_MAKER_START, strlen(APP_MAKER_START)) == 0;
#endif
    exports->version = version > exports->version ? version : exports->version;
}

/* Sets the newest known release of a version of MPI, or of an older one. */
static void newest_release_of(int version, struct release *release)
{
    int i = RELEASES - 1;
    while (i > 0 && releases[i].version > version)
        i--;
    strcpy(release->name, releases[i].name);
}

/* Sets the newest known release whose version of MPI the library exports: MPICH since 4.1 and Open MPI 6 do not say their release.
 * Older ones do, so that a library whose exports tell no more than the oldest version is taken for the newest. Returns whether it is
 * one of MPI's. */
static int release_of_exports(const struct exports *exports, struct release *release)
{
    newest_release_of(exports->version > version_of_symbol("") ? exports->version : INT_MAX, release);
    return exports->is_mpi;
}

/* A maker's library says the release that it began as. It exports procedures of later versions than the one that it says it has. */
static int release_of_maker(const struct exports *exports, struct release *release)
{
#ifdef APP_MAKER
    if (!exports->is_makers)
        return 0;
    release->maker = APP_MAKER;
    newest_release_of(exports->version < APP_MAKER_NEWEST ? exports->version : APP_MAKER_NEWEST, release);
    return 1;
#else
    return 0;
#endif
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
    struct exports exports = { 0, 0, 0 };
    exported_each(real, see_export, &exports);
    if (release_of_maker(&exports, release))
        return 1;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (needed_text(real, symbols[i], release->name, sizeof release->name) > 0 && is_release(release->name))
            return 1;
    return release_of_exports(&exports, release);
}

/* Looks where the dynamic linker would for the program: in its RUNPATH, LD_LIBRARY_PATH, and the linker's own folders. */
static int find_installed(struct release *release)
{
    static const char *const libraries[] = { APP_LIBRARIES };
    Dl_info self;
    struct link_map *own = 0; /* glibc's handle of the program, for which dlopen() would take 3 KiB of a stack */
    Dl_serinfo size, *folders = 0;
    int found = 0;
    int is_known = dladdr1((void *)release_told, &self, (void **)&own, RTLD_DL_LINKMAP);
    while (is_known && own->l_prev)
        own = own->l_prev;
    if (is_known && dlinfo(own, RTLD_DI_SERINFOSIZE, &size) == 0 &&
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
