/* SPDX-License-Identifier: BSD-3-Clause */
/* The container of one rank, by a tool that knows nothing of the rank's process. */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "arena.h"
#include "texts.h"
#include "verbs.h"

extern char **environ;

/* Keeps none of the rank's files open: by their end launchers see the rank's. */
static void close_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (is_digits(entry->d_name, 9) && atoi(entry->d_name) != dirfd(folder))
            close(atoi(entry->d_name));
    if (folder)
        closedir(folder);
    for (int i = 0; i < 3; i++)
        open("/dev/null", O_RDWR);
}

static void wait_for_end(pid_t process)
{
    int watched = (int)syscall(SYS_pidfd_open, process, 0);
    struct pollfd end = { .fd = watched, .events = POLLIN };
    if (watched >= 0)
        poll(&end, 1, -1);
    while (kill(process, 0) == 0)
        nanosleep(&(struct timespec){ .tv_nsec = 200000000 }, 0);
}

/* A launcher may kill the tool, of which the container knows nothing, so what is left then is removed. Who does this is not killed with
 * it. The tool takes this process's place, and has its number. */
static void remove_when_gone(const char *tool, const char *container)
{
    pid_t rank = getpid();
    if (fork() != 0)
        return;
    setsid();
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    close_files();
    wait_for_end(rank);
    execlp(tool, tool, "rm", "--force", container, (char *)0);
    _exit(127);
}

struct problem *start_contained(int count, char **words)
{
    struct list line = { 0 };
    if (count < 3)
        return usage_problem_of("this command is for mpi-adapter container");
    const char *container = arena_text("mpi-adapter-%ld-%ld", (long)getpid(), (long)time(0) % 100000);
    remove_when_gone(words[1], container);
    list_add(&line, words[1]);
    list_add(&line, words[2]);
    list_add(&line, "--name");
    list_add(&line, container);
    /* By name, as a value may be secret. HOME may be nothing that the image has. */
    for (char **entry = environ; *entry; entry++) {
        const char *name = up_to(*entry, '=');
        if (!is_variable_name(name) || is_same(name, "HOME") || has_word(words[0], name))
            continue;
        list_add(&line, "--env");
        list_add(&line, name);
    }
    for (int i = 3; i < count; i++)
        list_add(&line, words[i]);
    execvp(line.words[0], (char **)line.words);
    return cannot_be_started(words[1]);
}
