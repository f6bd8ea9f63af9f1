/* SPDX-License-Identifier: BSD-3-Clause */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arena.h"
#include "memory.h"

enum { SECONDS = 20 };

static volatile sig_atomic_t is_interrupted;

static void note_interrupt(int number)
{
    (void)number;
    is_interrupted = 1;
}

void catch_interrupts(void)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
    struct sigaction action = { .sa_handler = note_interrupt }, before;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        /* nohup and shells' background jobs ignore some. */
        if (sigaction(numbers[i], 0, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, 0);
}

int interrupted(void)
{
    return is_interrupted;
}

static long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int has_own_group(const struct asked *asked)
{
    return asked->errors != ERRORS_USER;
}

static void become(const struct asked *asked, int output, pid_t command)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    /* It ends with this command, and all that it starts with it; one that may ask the user stays with the terminal. */
    if (has_own_group(asked))
        setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != command)
        _exit(127);
    setenv("LC_ALL", "C", 1);
    dup2(nothing, 0);
    dup2(output, 1);
    if (asked->errors != ERRORS_USER)
        dup2(asked->errors == ERRORS_ANSWER ? output : nothing, 2);
    if (asked->unset)
        unsetenv(asked->unset);
    for (size_t i = 0; i < asked->set.count; i++)
        putenv((char *)asked->set.words[i]);
    execvp(asked->words.words[0], (char **)asked->words.words);
    _exit(127);
}

/* Reads up to `most` bytes until the end, or until the time is up. The caller frees them. */
static char *read_answer(int input, size_t most, long end, size_t *length)
{
    char *text = 0;
    size_t room = 0;
    *length = 0;
    while (*length < most) {
        struct pollfd waits = { .fd = input, .events = POLLIN };
        long left = end - now();
        if (left <= 0 || poll(&waits, 1, (int)left) <= 0)
            break;
        if (room - *length < 4096) {
            room = 2 * room + 8192;
            text = reallocated(text, room);
        }
        size_t wanted = room - *length < most - *length ? room - *length : most - *length;
        ssize_t more = read(input, text + *length, wanted);
        if (more <= 0)
            break;
        *length += (size_t)more;
    }
    return text;
}

/* Waits for the process, and ends it with those that it started when the time is up. */
static int status_of(pid_t process, int has_group, long end)
{
    pid_t all = has_group ? -process : process;
    int status = 0, is_late = 0;
    while (waitpid(process, &status, WNOHANG) == 0) {
        if (is_interrupted && now() < end)
            end = now();
        if (now() >= end && !is_late)
            is_late = kill(all, SIGTERM) == 0;
        if (now() >= end + 5000)
            kill(all, SIGKILL);
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, 0);
    }
    return is_late ? STATUS_LATE : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Returns what the program writes, and behind it a null byte, in the arena; sets *length to how many bytes these are. */
static char *answer_of(const struct asked *asked, size_t *length, int *status)
{
    int ends[2];
    long end = now() + (asked->seconds ? asked->seconds : SECONDS) * 1000L;
    char *read = 0, *text;
    *length = 0;
    *status = -1;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return arena_text("%s", "");
    pid_t command = getpid(), process = fork();
    if (process == 0)
        become(asked, ends[1], command);
    close(ends[1]);
    if (process > 0)
        read = read_answer(ends[0], asked->most, end, length);
    close(ends[0]);
    if (process > 0)
        *status = status_of(process, has_own_group(asked), end);
    text = arena_memory(*length + 1);
    if (read)
        memcpy(text, read, *length);
    free(read);
    return text;
}

const char *said_by(const struct asked *asked, int *status)
{
    size_t length, kept = 0;
    int found;
    char *text = answer_of(asked, &length, &found);
    if (status)
        *status = found;
    for (size_t i = 0; i < length; i++)
        if (text[i])
            text[kept++] = text[i];
    text[kept] = 0;
    return text;
}

struct list words_said_by(const struct asked *asked, int *status)
{
    struct list words = { 0 };
    size_t length;
    const char *text = answer_of(asked, &length, status);
    for (size_t at = 0; at < length; at += strlen(text + at) + 1)
        list_add(&words, text + at);
    return words;
}
