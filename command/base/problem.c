/* SPDX-License-Identifier: BSD-3-Clause */
#include "problem.h"

#include <stdarg.h>
#include <stdlib.h>

#include "arena.h"
#include "memory.h"

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

struct problem *problem_again(const char *text)
{
    struct problem *problem = arena_memory(sizeof *problem);
    *problem = (struct problem){ .text = text };
    return problem;
}

void problems_add(struct problems *problems, struct problem *problem)
{
    problems->all = arena_grown(problems->all, problems->count, sizeof *problems->all);
    problems->all[problems->count++] = problem;
}
