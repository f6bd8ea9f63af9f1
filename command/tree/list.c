/* SPDX-License-Identifier: BSD-3-Clause */
#include "list.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "journal.h"
#include "open.h"
#include "words.h"

enum { DEEPEST = 200 };

struct list {
    const char *path;       /* of the tree */
    char **patterns;        /* null: programs are wanted */
    dev_t device;
    char **found;
    size_t count;
};

static void add(struct list *list, const char *path)
{
    if (list->count % 256 == 0)
        list->found = reallocated(list->found, (list->count + 256) * sizeof *list->found);
    list->found[list->count++] = text_of("%s", path);
}

static _Noreturn void fail(const struct list *list)
{
    give_up("%s cannot be searched as a whole; see the permissions of its folders", list->path);
}

static int is_wanted(const struct list *list, const char *below, const char *name, const struct stat *status)
{
    if (!list->patterns)
        return S_ISREG(status->st_mode) && (status->st_mode & S_IXUSR) &&
               (strncmp(below, "bin/", 4) == 0 || strstr(below, "/bin/") || strstr(list->path, "/bin/"));
    for (char **pattern = list->patterns; *pattern; pattern++)
        if (fnmatch(*pattern, name, 0) == 0)
            return 1;
    return 0;
}

static void search(struct list *list, int folder, const char *below, int depth)
{
    DIR *entries = depth > DEEPEST ? 0 : read_folder(folder);
    struct dirent *entry;
    if (!entries)
        fail(list);
    while ((entry = next_entry(entries))) {
        struct stat status;
        char *path = text_of("%s%s%s", below, *below ? "/" : "", entry->d_name);
        if (fstatat(dirfd(entries), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
            if (errno != ENOENT)
                fail(list);
        } else if (strcmp(entry->d_name, OWN_FOLDER) != 0) {
            if (is_wanted(list, path, entry->d_name, &status))
                add(list, path);
            if (S_ISDIR(status.st_mode) && status.st_dev == list->device) {
                int next = openat(dirfd(entries), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
                if (next < 0)
                    fail(list);
                search(list, next, path, depth + 1);
                close(next);
            }
        }
        free(path);
    }
    if (errno)
        fail(list);
    closedir(entries);
}

static int by_text(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

static void answer_all(struct list *list)
{
    if (list->count > 0)
        qsort(list->found, list->count, sizeof *list->found, by_text);
    for (size_t i = 0; i < list->count; i++) {
        answer("found", "%s", list->found[i]);
        free(list->found[i]);
    }
    free(list->found);
}

static void search_all(int tree, const char *path, char **patterns)
{
    struct list list = { .path = path, .patterns = patterns };
    struct stat status;
    if (fstat(tree, &status) != 0)
        fail(&list);
    list.device = status.st_dev;
    search(&list, tree, "", 0);
    answer_all(&list);
}

void list_names(int tree, const char *path, char **patterns)
{
    search_all(tree, path, patterns);
}

void list_programs(int tree, const char *path)
{
    search_all(tree, path, 0);
}

void list_runnable(int tree, const char *path, const char *folder)
{
    struct list list = { .path = path };
    int opened = open_beneath(tree, folder, O_RDONLY | O_DIRECTORY);
    DIR *entries = opened < 0 ? 0 : read_folder(opened);
    struct dirent *entry;
    if (!entries && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
        return;
    if (!entries)
        fail(&list);
    while ((entry = next_entry(entries))) {
        struct stat status;
        char *name = text_of("%s/%s", folder, entry->d_name);
        /* A link is looked at by what it leads to: whether a launcher could be started by it. */
        if (fstatat(opened, entry->d_name, &status, 0) == 0 && S_ISREG(status.st_mode) && (status.st_mode & 0111))
            add(&list, name);
        free(name);
    }
    closedir(entries);
    close(opened);
    answer_all(&list);
}
