/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *marked_message(const char *format)
{
    char *marked = strdup(format), *end = marked ? strstr(marked, "; ") : 0;
    if (end) {
        *end = SEPARATOR;
        memmove(end + 1, end + 2, strlen(end + 2) + 1);
    }
    return marked;
}

void *reallocated(void *memory, unsigned long size)
{
    void *more = realloc(memory, size ? size : 1);
    if (!more)
        give_up("out of memory; try again when there is more");
    return more;
}

char *text_of(const char *format, ...)
{
    va_list values;
    char *text;
    va_start(values, format);
    int length = vasprintf(&text, format, values);
    va_end(values);
    if (length < 0)
        give_up("out of memory; try again when there is more");
    return text;
}
