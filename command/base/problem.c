/* SPDX-License-Identifier: BSD-3-Clause */
#include "problem.h"

#include <stdarg.h>
#include <stdlib.h>

#include "arena.h"
#include "words.h"

static struct problem *made(int is_usage, const char *format, va_list values)
{
    struct problem *problem = arena_memory(sizeof *problem);
    char *marked = marked_message(format);
    *problem = (struct problem){ is_usage, arena_formatted(marked ? marked : format, values) };
    free(marked);
    return problem;
}

struct problem *problem_of(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    struct problem *problem = made(0, format, values);
    va_end(values);
    return problem;
}

struct problem *usage_problem_of(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    struct problem *problem = made(1, format, values);
    va_end(values);
    return problem;
}
