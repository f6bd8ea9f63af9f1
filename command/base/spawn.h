/* SPDX-License-Identifier: BSD-3-Clause */
/* The one function that starts a program whose answer the command reads. */
#ifndef SPAWN_H
#define SPAWN_H

#include <stddef.h>

#include "list.h"

/* How a program is asked. */
struct asked {
    struct list words;          /* the file, and its arguments */
    struct list set;            /* NAME=VALUE for its environment */
    const char *unset;          /* the name of a variable that it does not get, or null */
    enum { ERRORS_NOWHERE, ERRORS_ANSWER, ERRORS_USER } errors;     /* where what it writes to the standard error goes */
    size_t most;                /* bytes of the answer that are read */
    int seconds;                /* that it may take; 20 if this is 0 */
};

/* The exit status of a program that took too long. */
enum { STATUS_LATE = 124 };

/* Returns what the program writes in its time, without null bytes. It has no standard input. Sets *status, unless that is null, to its exit
 * status; to STATUS_LATE, or where a signal ended it, to 128 and the signal's number. */
const char *said_by(const struct asked *asked, int *status);

/* Returns the words of an answer in which each ends with a null byte. */
struct list words_said_by(const struct asked *asked, int *status);

/* Has a signal of the user's end programs that are asked, and interrupted() be true then. */
void catch_interrupts(void);
int interrupted(void);

#endif
