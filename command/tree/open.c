/* SPDX-License-Identifier: BSD-3-Clause */
#include "open.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "words.h"

int is_plain_path(const char *path)
{
    for (const char *part = path;; part++) {
        size_t length = strcspn(part, "/");
        if (length == 0 || length > NAME_MAX || (part[0] == '.' && (length == 1 || (length == 2 && part[1] == '.'))))
            return 0;
        for (const char *at = part; at < part + length; at++)
            if ((unsigned char)*at < 0x20 || *at == 0x7f)
                return 0;
        part += length;
        if (!*part)
            return 1;
    }
}

/* As openat2(2) has it, which the C library's headers may lack. */
struct how {
    uint64_t flags, mode, resolve;
};
enum { NO_MAGICLINKS = 0x02, NO_SYMLINKS = 0x04, BENEATH = 0x08 };

/* Part by part, for kernels before 5.6 and sandboxes that refuse openat2. */
static int open_part_by_part(int folder, const char *path, int flags)
{
    int at = folder;
    for (;;) {
        size_t length = strcspn(path, "/");
        char name[NAME_MAX + 1];
        memcpy(name, path, length);
        name[length] = 0;
        int last = !path[length];
        int next = openat(at, name, last ? flags | O_NOFOLLOW | O_CLOEXEC : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        int error = errno;
        if (at != folder)
            close(at);
        errno = error;
        if (last || next < 0)
            return next;
        at = next;
        path += length + 1;
    }
}

int open_beneath(int folder, const char *path, int flags)
{
    if (!is_plain_path(path)) {
        errno = EINVAL;
        return -1;
    }
#ifdef SYS_openat2
    struct how how = { .flags = (uint64_t)(flags | O_NOFOLLOW | O_CLOEXEC), .resolve = BENEATH | NO_SYMLINKS | NO_MAGICLINKS };
    long opened = syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (opened >= 0 || (errno != ENOSYS && errno != EPERM))
        return (int)opened;
#endif
    return open_part_by_part(folder, path, flags);
}

int open_parent(int folder, const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    if (!slash)
        return fcntl(folder, F_DUPFD_CLOEXEC, 3);
    char *parent = text_of("%.*s", (int)(slash - path), path);
    int opened = open_beneath(folder, parent, O_RDONLY | O_DIRECTORY);
    int error = errno;
    free(parent);
    errno = error;
    return opened;
}

DIR *read_folder(int folder)
{
    int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = own < 0 ? 0 : fdopendir(own);
    if (own >= 0 && !entries)
        close(own);
    return entries;
}

int path_of_folder(int folder, char path[PATH_MAX])
{
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(name, path, PATH_MAX - 1);
    if (length <= 0)
        return 0;
    path[length] = 0;
    return 1;
}

struct dirent *next_entry(DIR *entries)
{
    struct dirent *entry;
    do {
        errno = 0;
        entry = readdir(entries);
    } while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry;
}

int open_regular(int folder, const char *path, struct stat *status)
{
    /* A pipe is opened without a wait, and not read. */
    int file = open_beneath(folder, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return -1;
    if (fstat(file, status) == 0 && S_ISREG(status->st_mode))
        return file;
    close(file);
    errno = EINVAL;
    return -1;
}

int hash_of(int file, char hash[SHA256_TEXT])
{
    struct sha256 sum;
    char buffer[65536];
    ssize_t size;
    sha256_begin(&sum);
    while ((size = read(file, buffer, sizeof buffer)) != 0) {
        if (size < 0)
            return -1;
        sha256_add(&sum, buffer, (size_t)size);
    }
    sha256_end(&sum, hash);
    return 0;
}

void hash_text(const char *text, char hash[SHA256_TEXT])
{
    struct sha256 sum;
    sha256_begin(&sum);
    sha256_add(&sum, text, strlen(text));
    sha256_end(&sum, hash);
}

char *link_text(int folder, const char *name)
{
    char *text = reallocated(0, PATH_MAX + 1);
    ssize_t length = readlinkat(folder, name, text, PATH_MAX);
    if (length < 0) {
        int error = errno;
        free(text);
        errno = error;
        return 0;
    }
    text[length] = 0;
    return text;
}

static int identify_link(int folder, const char *name, struct identity *identity)
{
    int link = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    char *text = 0;
    if (link >= 0 && fstat(link, &status) == 0 && (text = link_text(link, ""))) {
        identity->inode = status.st_ino;
        identity->size = status.st_size;
        hash_text(text, identity->hash);
        free(text);
    }
    if (link >= 0)
        close(link);
    return text ? 0 : -1;
}

static int identify_file(int folder, const char *name, struct identity *identity)
{
    struct stat status;
    int file = open_regular(folder, name, &status), result = -1;
    if (file >= 0) {
        identity->inode = status.st_ino;
        identity->size = status.st_size;
        result = hash_of(file, identity->hash);
        close(file);
    }
    return result;
}

int identify(int folder, const char *name, struct identity *identity)
{
    struct stat status;
    *identity = (struct identity){ .kind = KIND_NONE };
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? 0 : -1;
    identity->kind = S_ISREG(status.st_mode) ? KIND_FILE : S_ISLNK(status.st_mode) ? KIND_LINK : KIND_OTHER;
    if (identity->kind == KIND_OTHER)
        return 0;
    return identity->kind == KIND_FILE ? identify_file(folder, name, identity) : identify_link(folder, name, identity);
}

int write_all(int file, const char *text, unsigned long size)
{
    while (size > 0) {
        ssize_t written = write(file, text, size);
        if (written < 0 && errno != EINTR)
            return -1;
        if (written > 0) {
            text += written;
            size -= (unsigned long)written;
        }
    }
    return 0;
}
