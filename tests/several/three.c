/* SPDX-License-Identifier: BSD-3-Clause */
/* Three parts of a process, each a library for another MPI. Usage: three BEGINS ENDS, each the number of a part. Prints what is wrong. */
#include <stdio.h>
#include <stdlib.h>

#include "part.h"

const struct part *first_part(void), *second_part(void), *third_part(void);

static const char *const names[] = {
#define GIVEN_NAME(name) #name,
    GIVEN(GIVEN_NAME)
};

static int give_and_take(const struct part *by, const struct part *to)
{
    int wrong = 0;
    for (int what = 0; what < GIVEN_COUNT; what++) {
        const char *failure = to->take(what, by->give(what));
        if (failure)
            printf("%s: %s\n", names[what], failure), wrong++;
    }
    return wrong;
}

int main(int argc, char **argv)
{
    const struct part *parts[] = { first_part(), second_part(), third_part() };
    int wrong = 0;
    setvbuf(stdout, 0, _IOLBF, 0);
    if (argc != 3)
        return 2;
    parts[atoi(argv[1])]->begin();
    for (int by = 0; by < 3; by++) {
        if (parts[by]->phase() != 11 || !parts[by]->work())
            printf("part %d: phase %d, or its own work is wrong\n", by, parts[by]->phase()), wrong++;
        for (int to = 0; to < 3; to++)
            if (to != by && give_and_take(parts[by], parts[to]) > 0)
                printf("of part %d by part %d\n", by, to), wrong++;
    }
    parts[atoi(argv[2])]->end();
    for (int i = 0; i < 3; i++)
        if (parts[i]->phase() % 10 != 2)
            puts("MPI has not ended for all"), wrong++;
    puts(wrong ? "wrong" : "right");
    return 0;
}
