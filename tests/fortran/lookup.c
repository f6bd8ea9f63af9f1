/* SPDX-License-Identifier: BSD-3-Clause */
/* lookup LIBRARY < NAMES: of each symbol, found as a program finds it that needs LIBRARY, prints the
 * name and, with `values`, the integer it holds; exits with 1 if one is not found. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    char name[512];
    int missing = 0;
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fprintf(stderr, "%s\n", dlerror()), 2;
    while (scanf("%511s", name) == 1) {
        int *found = dlsym(library, name);
        if (!found)
            missing++;
        else if (argc > 2)
            printf("%s %d\n", name, *found);
        else
            puts(name);
    }
    return missing != 0;
}
