/* SPDX-License-Identifier: BSD-3-Clause */
/* Two parts of a process: this program's, and a library's. Usage: program BEGINS ENDS [LIBRARY early|late local|global]. BEGINS and ENDS
 * are 0 for the program, and 1 for the library. Prints what is wrong. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "part.h"

const struct part *program_part(void);
#ifdef LINKED
const struct part *library_part(void);
#endif

static const struct part *open_part(char **options)
{
#ifdef LINKED
    return library_part();
#else
    void *handle = dlopen(options[0], RTLD_NOW | (strcmp(options[2], "local") == 0 ? RTLD_LOCAL : RTLD_GLOBAL));
    const struct part *(*find)(void) = handle ? (const struct part *(*)(void))dlsym(handle, "library_part") : 0;
    if (!find) {
        puts(dlerror());
        exit(1);
    }
    return find();
#endif
}

int main(int argc, char **argv)
{
    static const char *const names[] = {
#define GIVEN_NAME(name) #name,
        GIVEN(GIVEN_NAME)
    };
    int is_late = argc > 4 && strcmp(argv[4], "late") == 0, wrong = 0;
    const struct part *parts[2] = { program_part(), is_late ? 0 : open_part(argv + 3) };
    setvbuf(stdout, 0, _IOLBF, 0);
    parts[atoi(argv[1])]->begin();
    if (is_late)
        parts[1] = open_part(argv + 3);
    for (int by = 0; by < 2; by++) {
        if (parts[by]->phase() != 11 || !parts[by]->work())
            printf("the %s: phase %d, or its own work is wrong\n", by ? "library" : "program", parts[by]->phase()), wrong++;
        for (int what = 0; what < GIVEN_COUNT; what++) {
            const char *failure = parts[!by]->take(what, parts[by]->give(what));
            if (failure)
                printf("%s of the %s: %s\n", names[what], by ? "library" : "program", failure), wrong++;
        }
    }
    parts[atoi(argv[2])]->end();
    if (parts[0]->phase() % 10 != 2 || parts[1]->phase() % 10 != 2)
        puts("MPI has not ended for both"), wrong++;
    puts(wrong ? "wrong" : "right");
    return 0;
}
