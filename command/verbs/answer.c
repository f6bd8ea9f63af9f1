/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "arena.h"
#include "texts.h"
#include "verbs.h"

static void check_written(int result)
{
    if (result >= 0)
        return;
    /* The reader has enough. */
    if (errno == EPIPE)
        exit(128 + SIGPIPE);
    fputs("mpi-adapter: the answer cannot be written; free space where it goes\n", stderr);
    exit(1);
}

void put(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    check_written(vprintf(format, values));
    va_end(values);
}

void put_field(int width, const char *key, const char *value)
{
    put("  %-*s %s\n", width, key, plain(value));
}

void end_answer(void)
{
    check_written(fflush(stdout) == 0 && !ferror(stdout) ? 0 : -1);
}

void end_with(struct job *job, const struct problem *problem)
{
    fflush(stdout);
    if (problem->is_usage && *advice_of(problem->text) == 0)
        say(&job->messages, "%s; see 'mpi-adapter %s%s--help'", problem->text, job->command, *job->command ? " " : "");
    else
        say_problem(&job->messages, problem);
    exit(problem->is_usage ? 2 : 1);
}
