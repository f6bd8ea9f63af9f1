/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers of the host that no MPI gives, and that would lead the adapter beyond an array or to address 0. The process ends with one
 * line: a wrong answer would go on as the program's. */
#ifndef HOST_ANSWER_H
#define HOST_ANSWER_H

#include "convert/say.h"
#include "convert/types.h"

/* Ends the process. `answer` says what the host answered. */
COLD void refuse_answer(const char *answer) __attribute__((noreturn));

/* Returns how many of `count` requests are complete; a negative number if none is active. */
INLINE int checked_count(int done, int count)
{
    if (unlikely(done > 0 && done > count))
        refuse_answer("that more requests are complete than there are");
    return done;
}

/* Returns which of `count` requests is complete; a negative number if none is. */
INLINE int checked_index(int index, int count)
{
    if (unlikely(index >= 0 && index >= count))
        refuse_answer("that a request is complete that is not among the given ones");
    return index;
}

/* Returns the value of a predefined attribute that is set. */
INLINE const int *checked_value(const void *value)
{
    if (unlikely(!value))
        refuse_answer("a predefined attribute without a value");
    return value;
}

#endif
