/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a library, as a program does its plugins, and calls solve() of it, and finish() if it has that. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*solve)(int, char **) = NULL, (*finish)(void) = NULL;
    if (library) {
        *(void **)&solve = dlsym(library, "solve");
        *(void **)&finish = dlsym(library, "finish");
    }
    if (!solve) {
        puts("no plugin");
        return 1;
    }
    return solve(1, argv) || (finish && finish());
}
