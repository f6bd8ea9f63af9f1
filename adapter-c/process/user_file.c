/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/user_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A second name (hard link) is refused: another user may have made it, for any file of this user's. */
static int is_of_user(int fd)
{
    struct stat found;
    return fstat(fd, &found) == 0 && found.st_uid == geteuid() && (!S_ISREG(found.st_mode) || found.st_nlink == 1);
}

/* True if opening the file does not wait for another process, as it may for another user's FIFO. */
static int may_be_opened(const char *path)
{
    struct stat found;
    return lstat(path, &found) == 0 && found.st_uid == geteuid() && !S_ISLNK(found.st_mode);
}

int user_file_open(const char *path, int flags, mode_t mode)
{
    int always = O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW;
    int fd = open(path, always | O_CREAT | O_EXCL | (flags & ~O_TRUNC), mode);
    if (fd >= 0 || errno != EEXIST)
        return fd;
    fd = may_be_opened(path) ? open(path, always | (flags & ~O_TRUNC)) : -1;
    if (fd >= 0 && is_of_user(fd) && (!(flags & O_TRUNC) || ftruncate(fd, 0) == 0))
        return fd;
    if (fd >= 0)
        close(fd);
    errno = EEXIST;
    return -1;
}

int user_file_is_exposed(const char *path)
{
    char folder[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    struct stat found;
    if (length >= sizeof folder)
        return 1;
    if (slash) {
        memcpy(folder, length ? path : "/", length ? length : 1);
        folder[length ? length : 1] = 0;
    }
    /* Root writes into folders of all users. In a user namespace the owner of /dev and /proc is nobody, by this number. */
    enum { NOBODY = 65534 };
    return stat(folder, &found) == 0 && ((found.st_mode & (S_IWGRP | S_IWOTH)) ||
                                         (geteuid() == 0 && found.st_uid != 0 && found.st_uid != NOBODY));
}
