/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions to a program of the command's own, which answers in pairs of a key and a value, each with a null byte behind it. */
#ifndef ANSWERS_H
#define ANSWERS_H

#include "list.h"
#include "message.h"
#include "problem.h"

struct answers {
    struct list keys, values;
    int status;             /* the exit status; -1 where the program did not end by itself */
};

/* Starts a program, gives it words on its standard input, and waits for its end. What it has for the user, `said` and `note`, is said; a
 * `problem`, or what is wrong with the user's words, `usage`, is returned. Its standard error is this command's. */
struct problem *ask(struct messages *messages, const struct list *program, const struct list *input, struct answers *answers);

/* Returns the last value of a key, "" without one. */
const char *answer_to(const struct answers *answers, const char *key);

/* Returns all values of a key. */
struct list answers_to(const struct answers *answers, const char *key);

#endif
