/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts for the user: lines on the standard error, "mpi-adapter: what; what to do". They are kept, for a reader other than the user, or
 * written. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "list.h"
#include "problem.h"

struct messages {
    int is_verbose;         /* --verbose */
    int are_kept;           /* in `texts`, as problems have them, and not written */
    struct list texts;
};

/* Tells the user: "what; what to do". */
void say(struct messages *messages, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Tells the user of --verbose. */
void say_more(struct messages *messages, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Tells the user a problem. */
void say_problem(struct messages *messages, const struct problem *problem);

/* Returns a problem's text as people see it. */
const char *shown_problem(const char *text);

/* Return its halves: what is wrong, and what to do, which may be empty. If a file's name holds the separator, too, the advice is to rename
 * that file. */
const char *what_of(const char *text);
const char *advice_of(const char *text);

#endif
