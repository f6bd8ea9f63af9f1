/* SPDX-License-Identifier: BSD-3-Clause */
/* Two parts of a process, which tell each other of a communicator, and a library for a third MPI that is opened late. Usage: late
 * LIBRARY before|after, which is MPI_Init. Prints what is wrong. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "part.h"

const struct part *first_part(void), *third_part(void);

static const struct part *open_part(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    const struct part *(*find)(void) = library ? (const struct part *(*)(void))dlsym(library, "second_part") : 0;
    if (!find) {
        puts(dlerror());
        exit(1);
    }
    return find();
}

int main(int argc, char **argv)
{
    int is_before = strcmp(argv[2], "before") == 0, wrong = 0;
    const struct part *second = is_before ? open_part(argv[1]) : 0, *parts[3];
    const char *failure;
    setvbuf(stdout, 0, _IOLBF, 0);
    first_part()->begin();
    failure = third_part()->take(WORLD, first_part()->give(WORLD));
    if (failure)
        puts(failure), wrong++;
    if (!second)
        second = open_part(argv[1]);
    parts[0] = first_part();
    parts[1] = second;
    parts[2] = third_part();
    for (int i = 0; i < 9; i++) {
        failure = i % 4 ? parts[i % 3]->take(COMM, parts[i / 3]->give(COMM)) : 0;
        if (failure || !parts[i % 3]->work())
            printf("of part %d by part %d: %s\n", i / 3, i % 3, failure), wrong++;
    }
    first_part()->end();
    puts(wrong ? "wrong" : "right");
    return 0;
}
