/* SPDX-License-Identifier: BSD-3-Clause */
#include "words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(const char *key, const char *format, va_list values)
{
    fputs(key, stdout);
    putchar(0);
    vprintf(format, values);
    putchar(0);
}

char *marked_message(const char *format)
{
    char *marked = strdup(format), *end = marked ? strstr(marked, "; ") : 0;
    if (end) {
        *end = SEPARATOR;
        memmove(end + 1, end + 2, strlen(end + 2) + 1);
    }
    return marked;
}

static void put_message(const char *key, const char *format, va_list values)
{
    char *marked = marked_message(format);
    put(key, marked ? marked : format, values);
    free(marked);
}

void answer(const char *key, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    put(key, format, values);
    va_end(values);
}

void complain(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    put_message("said", format, values);
    va_end(values);
}

void note(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    put("note", format, values);
    va_end(values);
}

void give_up(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    put_message("problem", format, values);
    va_end(values);
    exit(1);
}

char *next_word(void)
{
    char *word = 0;
    size_t room = 0;
    if (getdelim(&word, &room, 0, stdin) > 0)
        return word;
    free(word);
    return 0;
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
