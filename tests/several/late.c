/* SPDX-License-Identifier: BSD-3-Clause */
/* Two parts of a process, which tell each other of a communicator, and a library for a third MPI that is opened then. Usage: late LIBRARY */
#include <dlfcn.h>
#include <stdio.h>

#include "part.h"

const struct part *first_part(void), *third_part(void);

int main(int argc, char **argv)
{
    const char *failure;
    first_part()->begin();
    failure = third_part()->take(WORLD, first_part()->give(WORLD));
    puts(failure ? failure : "told");
    fflush(stdout);
    void *library = dlopen(argv[1], RTLD_NOW);
    puts(library && dlsym(library, "second_part") ? "opened" : dlerror());
    first_part()->end();
    return 0;
}
