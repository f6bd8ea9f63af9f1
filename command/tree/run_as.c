/* SPDX-License-Identifier: BSD-3-Clause */
/* A command that runs as a user for root. That user may stop, trace and change it, so that it has nothing of root's: not the
 * terminal, not the environment, no descriptor but two pipes; and what it says is handed on as lines of plain text. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../elf/text.h"
#include "trust.h"
#include "words.h"

/* Variables that say what a tree is adapted to. */
static int is_handed_on(const char *variable)
{
    static const char *const names[] = { "PATH=", "LD_LIBRARY_PATH=", "LANG=", "LC_", "TERM=", "MPI_ADAPTER_", "I_MPI_ROOT=", "OPAL_PREFIX=" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(variable, names[i], strlen(names[i])) == 0)
            return 1;
    return 0;
}

static char **environment_for(const struct owner *owner)
{
    size_t count = 0;
    for (char **at = environ; *at; at++)
        count++;
    char **own = reallocated(0, (count + 4) * sizeof *own), **next = own;
    for (char **at = environ; *at; at++)
        if (is_handed_on(*at))
            *next++ = *at;
    *next++ = text_of("HOME=%s", owner->home);
    *next++ = text_of("USER=%s", owner->name);
    *next++ = text_of("LOGNAME=%s", owner->name);
    *next = 0;
    return own;
}

static void close_others(void)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 3U, ~0U, 0U) == 0)
        return;
#endif
    for (int file = 3, limit = (int)sysconf(_SC_OPEN_MAX); file < limit; file++)
        close(file);
}

static _Noreturn void start(const struct owner *owner, char **command, const int output[2], const int errors[2])
{
    char **environment = environment_for(owner);
    int nothing = open("/dev/null", O_RDONLY);
    setsid();
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(output[1], 1) < 0 || dup2(errors[1], 2) < 0 || chdir("/") != 0)
        _exit(127);
    close_others();
    become(owner);
    execve(command[0], command, environment);
    dprintf(2, "mpi-adapter: user %s cannot run %s; install mpi-adapter where all users may read it\n", owner->name, command[0]);
    _exit(127);
}

/* Text that the command writes into one of the pipes. */
struct said {
    int from, to;
    size_t length;
    char text[8192];        /* of which no more than LONGEST_LINE bytes begin a line */
};
enum { LONGEST_LINE = 4096 };

/* Hands on a part of what was said, in which no null is. */
static int show(struct said *said, size_t length)
{
    char line[LONGEST_LINE + 1];
    size_t size = length < LONGEST_LINE ? length : LONGEST_LINE;
    memcpy(line, said->text, size);
    line[size] = 0;
    text_make_plain(line);
    int is_shown = dprintf(said->to, "%s\n", line) >= 0;
    size_t taken = size + (size < said->length && said->text[size] == '\n');
    said->length -= taken;
    memmove(said->text, said->text + taken, said->length);
    return is_shown;
}

/* Hands on the lines that were said. Returns 0 at the end. */
static int hand_on(struct said *said)
{
    ssize_t size = read(said->from, said->text + said->length, sizeof said->text - said->length);
    if (size < 0 && errno == EINTR)
        return 1;
    for (ssize_t i = 0; i < size; i++)
        if (!said->text[said->length + (size_t)i])
            said->text[said->length + (size_t)i] = '?';
    said->length += size > 0 ? (size_t)size : 0;
    for (const char *end; said->length > 0;) {
        end = memchr(said->text, '\n', said->length);
        if (!end && said->length < LONGEST_LINE && size > 0)
            break;
        if (!show(said, end ? (size_t)(end - said->text) : said->length))
            return 0;
    }
    return size > 0;
}

int run_as(const struct owner *owner, char **command)
{
    int output[2], errors[2], status;
    if (pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0) {
        dprintf(2, "mpi-adapter: no pipe can be made; close other programs\n");
        return 1;
    }
    pid_t child = fork();
    if (child < 0) {
        dprintf(2, "mpi-adapter: no process can be made; end other ones\n");
        return 1;
    }
    if (child == 0)
        start(owner, command, output, errors);
    close(output[1]);
    close(errors[1]);
    static struct said said[2];
    struct pollfd ends[2] = { { .fd = output[0], .events = POLLIN }, { .fd = errors[0], .events = POLLIN } };
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        if (poll(ends, 2, -1) < 0 && errno != EINTR)
            break;
        for (int i = 0; i < 2; i++) {
            said[i].from = ends[i].fd;
            said[i].to = i + 1;
            if (ends[i].fd >= 0 && ends[i].revents && !hand_on(&said[i]))
                ends[i].fd = -1;
        }
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
