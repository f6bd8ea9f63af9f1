/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/say.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 1024 };

/* The line that attempt() returns; only the constructor calls that, once. */
static char failure[LINE];
static _Thread_local jmp_buf *attempting;
static _Thread_local int is_suspended;

static void make_line(char line[LINE], const char *format, va_list arguments)
{
    int length = snprintf(line, LINE, "mpi-adapter: ");
    length += vsnprintf(line + length, LINE - (size_t)length - 1, format, arguments);
    if (length > LINE - 2)
        length = LINE - 2;
    line[length++] = '\n';
    line[length] = 0;
}

static void say(const char *line)
{
    ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written;
}

void complain(const char *format, ...)
{
    char line[LINE];
    va_list arguments;
    va_start(arguments, format);
    make_line(line, format, arguments);
    va_end(arguments);
    say(line);
}

void give_up_with(const char *line)
{
    say(line);
    _exit(1);
}

void give_up(const char *format, ...)
{
    char line[LINE];
    va_list arguments;
    va_start(arguments, format);
    make_line(line, format, arguments);
    va_end(arguments);
    if (!attempting || is_suspended)
        give_up_with(line);
    memcpy(failure, line, sizeof failure);
    longjmp(*attempting, 1);
}

void give_up_memory(const char *when)
{
    give_up("out of memory %s; start fewer processes on this machine", when);
}

const char *attempt(void (*work)(void))
{
    jmp_buf here;
    attempting = &here;
    int has_failed = setjmp(here);
    if (!has_failed)
        work();
    attempting = 0;
    return has_failed ? failure : 0;
}

int attempt_suspend(int suspended)
{
    int before = is_suspended;
    is_suspended = suspended;
    return before;
}
