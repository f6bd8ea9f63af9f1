/* SPDX-License-Identifier: BSD-3-Clause */
/* reopens LIBRARY...: opens each library once, and then 100 times in reopen(), in which valgrind counts instructions. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

__attribute__((noinline)) void reopen(const char *library);

void reopen(const char *library)
{
    for (int i = 0; i < 100; i++)
        dlclose(dlopen(library, RTLD_NOW));
}

int main(int argc, char **argv)
{
    int is_there = 0;
    MPI_Initialized(&is_there); /* needs the library */
    for (int i = 1; i < argc; i++) {
        if (!dlopen(argv[i], RTLD_NOW))
            return printf("%s\n", dlerror());
        reopen(argv[i]);
    }
    return is_there;
}
