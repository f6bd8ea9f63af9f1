/* SPDX-License-Identifier: BSD-3-Clause */
/* looks LIBRARY NAME...: which names are in the MPI library, in dlopen(NULL) and in RTLD_DEFAULT, before MPI_Init and after it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static void look(const char *when, char **names)
{
    void *library = dlopen(names[0], RTLD_NOW | RTLD_NOLOAD), *program = dlopen(NULL, RTLD_NOW);
    for (int i = 1; names[i]; i++)
        printf("%s %s %d %d %d\n", when, names[i], library && dlsym(library, names[i]), dlsym(program, names[i]) != NULL,
               dlsym(RTLD_DEFAULT, names[i]) != NULL);
}

int main(int argc, char **argv)
{
    look("before", argv + 1);
    MPI_Init(&argc, &argv);
    look("after", argv + 1);
    return MPI_Finalize();
}
