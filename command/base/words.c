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
