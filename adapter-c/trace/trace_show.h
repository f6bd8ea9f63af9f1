/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a call of the host's: named constants by their names, handles and addresses in hexadecimal, strings in
 * quotes. Long arrays and strings are cut. */
#ifndef TRACE_SHOW_H
#define TRACE_SHOW_H

#include "trace/trace.h"

/* Text that is cut, and ends in "...", where there is no more room. */
struct text {
    char *at;
    unsigned length, room;
    int with_errors; /* the error fields of statuses are set */
};

/* Adds to the text, by a format as printf() has. */
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the arguments that go into the call, as "name=value, ...". */
void show_arguments(struct text *text, const struct trace_procedure *procedure, const intptr_t *arguments);

/* Adds the result, as " = value". If the call succeeded, adds what it wrote, as " -> name=value, ...". */
void show_results(struct text *text, const struct trace_procedure *procedure, const intptr_t *arguments,
                  intptr_t result);

#endif
