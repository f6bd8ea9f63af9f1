/* SPDX-License-Identifier: BSD-3-Clause */
#include "file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena.h"
#include "texts.h"

int is_there(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

int is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

int is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

int is_readable(const char *path)
{
    return access(path, R_OK) == 0;
}

int is_startable(const char *path)
{
    return access(path, X_OK) == 0;
}

int is_same_file(const char *path, const char *other)
{
    struct stat one, two;
    return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

const char *real_path(const char *path)
{
    char real[PATH_MAX];
    return realpath(path, real) ? arena_text("%s", real) : 0;
}

const char *real_folder(const char *path)
{
    const char *real = real_path(path);
    return real && is_folder(real) && access(real, X_OK) == 0 ? real : 0;
}

const char *with_real_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *folder = real_folder(slash ? arena_text("%.*s", (int)(slash - path) + 1, path) : ".");
    return arena_text("%s/%s", folder && !is_same(folder, "/") ? folder : "", base_name(path));
}

const char *link_text(const char *path)
{
    char text[PATH_MAX];
    ssize_t length = readlink(path, text, sizeof text);
    return length > 0 ? arena_text("%.*s", (int)length, text) : "";
}

/* The files that PATH leads to by a name; without PATH, those in the system's folders. */
static struct list in_path(const char *name)
{
    const char *path = getenv("PATH");
    struct list files = { 0 };
    for (const char *at = path ? path : "/usr/local/bin:/usr/bin:/bin";; at++) {
        size_t length = strcspn(at, ":");
        const char *file = arena_text("%.*s/%s", length ? (int)length : 1, length ? at : ".", name);
        if (is_there(file) && !is_folder(file))
            list_add(&files, file);
        at += length;
        if (*at == 0)
            return files;
    }
}

const char *find_in_path(const char *name)
{
    if (*name == 0)
        return 0;
    if (strchr(name, '/'))
        return is_there(name) ? name : 0;
    struct list files = in_path(name);
    for (size_t i = 0; i < files.count; i++)
        if (is_startable(files.words[i]))
            return files.words[i];
    return files.count > 0 ? files.words[0] : 0;
}

struct list all_in_path(const char *name)
{
    struct list files = in_path(name), startable = { 0 };
    for (size_t i = 0; i < files.count; i++)
        if (is_startable(files.words[i]))
            list_add(&startable, files.words[i]);
    return startable;
}

const char *beginning_of(const char *path, size_t most)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    struct stat status;
    size_t length = 0, kept = 0;
    ssize_t more;
    if (file < 0)
        return "";
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(file);
        return "";
    }
    if ((size_t)status.st_size < most)
        most = (size_t)status.st_size;
    char *text = arena_memory(most + 1);
    while (length < most && (more = read(file, text + length, most - length)) > 0)
        length += (size_t)more;
    close(file);
    for (size_t i = 0; i < length; i++)
        if (text[i])
            text[kept++] = text[i];
    text[kept] = 0;
    return text;
}

static size_t first_bytes(const char *path, char bytes[2])
{
    int file = is_file(path) ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    ssize_t length = file >= 0 ? read(file, bytes, 2) : 0;
    if (file >= 0)
        close(file);
    return length > 0 ? (size_t)length : 0;
}

int begins_with_null(const char *path)
{
    char bytes[2];
    return first_bytes(path, bytes) > 0 && bytes[0] == 0;
}

int is_script(const char *path)
{
    char bytes[2];
    return first_bytes(path, bytes) == 2 && bytes[0] == '#' && bytes[1] == '!';
}

struct problem *read_lines(const char *path, const char *advice, struct list *lines)
{
    struct stat status, null;
    char *text = 0;
    size_t room = 0;
    if (stat(path, &status) == 0 && stat("/dev/null", &null) == 0 && S_ISCHR(status.st_mode) && status.st_rdev == null.st_rdev)
        return 0;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return problem_of("%s is not a regular file; %s", path, advice);
    if (access(path, R_OK) != 0)
        return problem_of("%s cannot be read; check its permissions", path);
    if (status.st_size >= 1000000)
        return problem_of("%s is too large; %s", path, advice);
    FILE *file = fopen(path, "re");
    if (!file)
        return problem_of("%s cannot be read; check its permissions", path);
    while (getline(&text, &room, file) > 0) {
        text[strcspn(text, "\n")] = 0;
        list_add(lines, arena_text("%s", text));
    }
    free(text);
    fclose(file);
    return 0;
}

int open_new(const char *path)
{
    mode_t mask = umask(022);
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    umask(mask);
    return file;
}

int make_folders(const char *path)
{
    for (const char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
        const char *folder = slash ? arena_text("%.*s", (int)(slash - path), path) : path;
        if (mkdir(folder, 0777) != 0 && !is_folder(folder))
            return 0;
        if (!slash)
            return 1;
    }
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    remove(path);
    return 0;
}

void remove_folder(const char *folder)
{
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static struct list to_remove;

static void remove_all(void)
{
    for (size_t i = 0; i < to_remove.count; i++)
        remove_folder(to_remove.words[i]);
}

void remove_at_exit(const char *folder)
{
    if (to_remove.count == 0)
        atexit(remove_all);
    list_add(&to_remove, folder);
}

char *glob_escaped(const char *text)
{
    char *pattern = arena_memory(2 * strlen(text) + 1), *end = pattern;
    for (; *text; text++) {
        if (strchr("*?[\\", *text))
            *end++ = '\\';
        *end++ = *text;
    }
    return pattern;
}

/* Returns the only name that is like a pattern, or null if there may be several. */
static char *only_like(const char *pattern)
{
    char *name = arena_memory(strlen(pattern) + 1), *end = name;
    for (; *pattern; pattern++) {
        if (strchr("*?[", *pattern))
            return 0;
        if (*pattern == '\\' && pattern[1])
            pattern++;
        *end++ = *pattern;
    }
    return name;
}

static void add_like(struct list *files, const char *start, const char *pattern);

/* Adds a path, or those below it that go on like this pattern. */
static void add_found(struct list *files, const char *path, const char *rest)
{
    struct stat status;
    if (*rest && is_folder(path))
        add_like(files, arena_text("%s/", path), rest);
    else if (*rest == 0 && lstat(path, &status) == 0)
        list_add(files, path);
}

/* Adds the paths that begin with `start`, a folder's with a slash or nothing, and go on like this pattern. */
static void add_like(struct list *files, const char *start, const char *pattern)
{
    const char *slash = strchr(pattern, '/'), *rest = slash ? slash + strspn(slash, "/") : "";
    const char *part = slash ? arena_text("%.*s", (int)(slash - pattern), pattern) : pattern, *only = only_like(part);
    DIR *folder = only ? 0 : opendir(*start ? start : ".");
    const struct dirent *entry;
    if (only)
        add_found(files, arena_text("%s%s", start, only), rest);
    while (folder && (entry = readdir(folder)))
        if (fnmatch(part, entry->d_name, FNM_PERIOD) == 0)
            add_found(files, arena_text("%s%s", start, entry->d_name), rest);
    if (folder)
        closedir(folder);
}

/* As glob() does, whose version is newer than the oldest C library that the tarball runs with. */
struct list files_like(const char *pattern)
{
    struct list files = { 0 };
    size_t slashes = strspn(pattern, "/");
    add_like(&files, slashes > 0 ? "/" : "", pattern + slashes);
    list_sort(&files);
    return files;
}
