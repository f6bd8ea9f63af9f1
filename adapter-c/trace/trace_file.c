/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "convert/facts.h"
#include "convert/say.h"
#include "process/launcher.h"
#include "process/user_file.h"

/* Above the numbers that a program expects its own files to get. */
enum { FIRST_DESCRIPTOR = 200 };

struct name {
    char text[PATH_MAX];
    size_t length;
    int has_process, has_rank;
};

static void add_name(struct name *name, const char *text)
{
    size_t length = strlen(text);
    if (name->length + length >= sizeof name->text)
        length = sizeof name->text - name->length - 1;
    memcpy(name->text + name->length, text, length + 1);
    name->length += length;
    name->text[name->length] = 0;
}

static void add_number(struct name *name, long number)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%ld", number);
    add_name(name, digits);
}

static void expand(struct name *name, const char *variable, const char *pattern)
{
    for (const char *at = pattern; *at; at++) {
        const char character[] = { *at, 0 };
        if (*at != '%') {
            add_name(name, character);
            continue;
        }
        at++;
        if (*at == 'p') {
            add_number(name, getpid());
            name->has_process = 1;
        } else if (*at == 'r') {
            int rank = launcher_rank();
            add_number(name, rank < 0 ? 0 : rank);
            name->has_rank = 1;
        } else if (*at == 'a') {
            add_name(name, application_family);
            add_name(name, "-to-");
            add_name(name, host_family);
        } else if (*at == '%') {
            add_name(name, "%");
        } else {
            give_up("%s=%s has %% before another character than a, p, r or %%; write %%%% for a %%", variable, pattern);
        }
    }
}

static int is_special_file(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && !S_ISREG(found.st_mode);
}

/* A descriptor out of the program's way, if there may be that many. */
static int move_away(int fd)
{
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
    if (moved < 0)
        return fd;
    close(fd);
    return moved;
}

int trace_file_is_own(const char *name)
{
    for (const char *at = strchr(name, '%'); at; at = strchr(at, '%')) {
        if (at[1] == 'a')
            return 1;
        at += 1 + (at[1] != 0);
    }
    return 0;
}

/* Never writes to a file that another user may have put under this name in a shared folder. */
static int open_to_append(const char *variable, const char *path)
{
    int fd = user_file_is_exposed(path) ? user_file_open(path, O_APPEND, 0666)
                                       : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd < 0 && errno == EEXIST)
        give_up("%s is a link or somebody else's file, in a folder where others may write; set %s to another file", path, variable);
    return fd;
}

void trace_file_open(struct trace_file *file, const char *variable, const char *pattern)
{
    struct name name = { "", 0, 0, 0 };
    struct stat found;
    expand(&name, variable, pattern);
    int is_special = is_special_file(name.text);
    if (!name.has_process && !name.has_rank && !is_special) {
        add_name(&name, ".");
        add_number(&name, getpid());
        name.has_process = 1;
    }
    int fd = open_to_append(variable, name.text);
    if (fd < 0 || fstat(fd, &found) != 0)
        give_up("cannot write %s (%s); set %s to a file that can be written", name.text, strerror(errno), variable);
    *file = (struct trace_file){ move_away(fd), name.has_process && !is_special, found.st_dev, found.st_ino, variable };
}

/* The program may have closed all descriptors, and opened a file of its own under our number. */
static int is_ours(const struct trace_file *file)
{
    struct stat found;
    return fstat(file->fd, &found) == 0 && found.st_dev == file->device && found.st_ino == file->inode;
}

void trace_file_write(struct trace_file *file, const char *text, size_t length)
{
    if (file->fd < 0)
        return;
    if (!is_ours(file)) {
        file->fd = -1;
        complain("the program closed the file of %s; what follows is missing there", file->variable);
        return;
    }
    while (length > 0) {
        ssize_t written = write(file->fd, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            file->fd = -1;
            complain("cannot write to the file of %s (%s); what follows is missing there", file->variable, strerror(errno));
            return;
        }
        text += written;
        length -= (size_t)written;
    }
}

void trace_file_stderr(struct trace_file *file, const char *variable)
{
    struct stat found;
    int fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
    if (fd < 0)
        fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    if (fd >= 0 && fstat(fd, &found) == 0)
        *file = (struct trace_file){ fd, 0, found.st_dev, found.st_ino, variable };
}
