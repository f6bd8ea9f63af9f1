/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads a library that uses MPI into a namespace of its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *library = argc == 2 ? dlmopen(LM_ID_NEWLM, argv[1], RTLD_NOW) : 0;
    int (*size)(void) = library ? (int (*)(void))dlsym(library, "embedded_size") : 0;
    if (!size) {
        puts(dlerror());
        return 1;
    }
    printf("size %d\n", size());
    return 0;
}
