/* SPDX-License-Identifier: BSD-3-Clause */
/* guard_starts FUNCTION [PRELOAD]: becomes or starts `app` by this function, with PRELOAD in LD_PRELOAD or without it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[4096];
static char name[] = "app", what[] = "whose";
static char *arguments[] = { name, what, NULL };

/* As ranks end whose program is their child. */
static int end_of(pid_t child)
{
    int status;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}

static int copy(FILE *from)
{
    for (int c; (c = getc(from)) != EOF;)
        putchar(c);
    return pclose(from);
}

static int start(const char *function)
{
    pid_t child = 0;
    int file = open(path, O_RDONLY);
    if (!strcmp(function, "execve"))
        return execve(path, arguments, environ);
    if (!strcmp(function, "execv"))
        return execv(path, arguments);
    if (!strcmp(function, "execvp"))
        return execvp(name, arguments);
    if (!strcmp(function, "execvpe"))
        return execvpe(name, arguments, environ);
    if (!strcmp(function, "execl"))
        return execl(path, name, what, (char *)NULL);
    if (!strcmp(function, "execlp"))
        return execlp(name, name, what, (char *)NULL);
    if (!strcmp(function, "execle"))
        return execle(path, name, what, (char *)NULL, environ);
    if (!strcmp(function, "fexecve"))
        return fexecve(file, arguments, environ);
#if __GLIBC_PREREQ(2, 34)
    if (!strcmp(function, "execveat"))
        return execveat(file, "", arguments, environ, AT_EMPTY_PATH);
#endif
    if (!strcmp(function, "vfork") && (child = vfork()) == 0) {
        execve(path, arguments, environ);
        _exit(4);
    }
    if (!strcmp(function, "posix_spawn") && posix_spawn(&child, path, NULL, NULL, arguments, environ) != 0)
        return 5;
    if (!strcmp(function, "posix_spawnp") && posix_spawnp(&child, name, NULL, NULL, arguments, environ) != 0)
        return 5;
    if (!strcmp(function, "system"))
        return system("app whose");
    if (!strcmp(function, "popen"))
        return copy(popen("app whose", "r"));
    return child ? end_of(child) : 6;
}

int main(int count, char **given)
{
    const char *folder = getenv("APP_FOLDER");
    snprintf(path, sizeof path, "%s/app", folder ? folder : ".");
    if (count > 2)
        setenv("LD_PRELOAD", given[2], 1);
    else
        unsetenv("LD_PRELOAD");
    return count > 1 ? start(given[1]) : 7;
}
