/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static void say(const char *format, va_list arguments)
{
    char line[1024];
    int length = snprintf(line, sizeof line, "mpi-adapter: ");
    length += vsnprintf(line + length, sizeof line - (size_t)length - 1, format, arguments);
    if (length > (int)sizeof line - 2)
        length = (int)sizeof line - 2;
    line[length++] = '\n';
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);
    (void)written;
}

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void give_up(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    _exit(1);
}
