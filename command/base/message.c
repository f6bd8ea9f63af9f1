/* SPDX-License-Identifier: BSD-3-Clause */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "texts.h"
#include "memory.h"

static const char RENAME[] = "give the file that is named here another name";

const char *what_of(const char *text)
{
    const char *sign = strchr(text, SEPARATOR);
    return sign && !strchr(sign + 1, SEPARATOR) ? up_to(text, SEPARATOR) : text;
}

const char *advice_of(const char *text)
{
    const char *sign = strchr(text, SEPARATOR);
    if (!sign)
        return "";
    return strchr(sign + 1, SEPARATOR) ? RENAME : sign + 1;
}

const char *shown_problem(const char *text)
{
    const char *advice = advice_of(text);
    return plain(arena_text("%s%s%s", what_of(text), *advice ? "; " : "", advice));
}

static void tell(struct messages *messages, const char *text)
{
    if (messages->are_kept)
        list_add(&messages->texts, text);
    else
        fprintf(stderr, "mpi-adapter: %s\n", shown_problem(text));
}

static const char *marked_text(const char *format, va_list values)
{
    char *marked = marked_message(format);
    const char *text = arena_formatted(marked ? marked : format, values);
    free(marked);
    return text;
}

void say(struct messages *messages, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    tell(messages, marked_text(format, values));
    va_end(values);
}

void say_more(struct messages *messages, const char *format, ...)
{
    va_list values;
    if (!messages->is_verbose)
        return;
    va_start(values, format);
    tell(messages, marked_text(format, values));
    va_end(values);
}

void say_problem(struct messages *messages, const struct problem *problem)
{
    tell(messages, problem->text);
}

void give_up(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("mpi-adapter: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    exit(1);
}
