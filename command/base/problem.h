/* SPDX-License-Identifier: BSD-3-Clause */
/* Why something cannot be done. A function that decides returns a problem, or null; who called it hands it on, and the end of the
 * program prints it. */
#ifndef PROBLEM_H
#define PROBLEM_H

#include <stddef.h>

struct problem {
    int is_usage;           /* the user's words are wrong: exit status 2, and not 1 */
    const char *text;       /* "what", and behind SEPARATOR "what to do", if anything */
};

/* Returns a problem: "what; what to do". */
struct problem *problem_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns a problem with the words of the user's. */
struct problem *usage_problem_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns a problem with this text, as another one has it. */
struct problem *problem_again(const char *text);

/* Several of them. */
struct problems {
    struct problem **all;
    size_t count;
};

/* Adds one. */
void problems_add(struct problems *problems, struct problem *problem);

/* Hands a problem on to the caller, if there is one. */
#define HAND_ON(call)                                                                                                                   \
    do {                                                                                                                               \
        struct problem *handed_on = (call);                                                                                           \
        if (handed_on)                                                                                                                 \
            return handed_on;                                                                                                          \
    } while (0)

#endif
