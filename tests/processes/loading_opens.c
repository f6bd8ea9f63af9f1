/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool that opens the libraries of OPENS, a list with colons, when MPI is initialized, and prints what each is. Half of
 * this is in a library of its own (-DSECOND), which the tool needs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *open_in_second(const char *name);

#ifdef SECOND
void *open_in_second(const char *name)
{
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}
#else
static void tell(const char *who, const char *name, void *library)
{
    const char *(*which)(void) = library ? (const char *(*)(void))dlsym(library, "which") : 0;
    printf("%s %s: %s\n", who, name, which ? which() : library ? "another" : "not found");
}

int MPI_Init(int *count, char ***arguments)
{
    char *names = strdup(getenv("OPENS"));
    for (char *name = strtok(names, ":"); name; name = strtok(0, ":")) {
        tell("tool", name, dlopen(name, RTLD_NOW | RTLD_LOCAL));
        tell("second", name, open_in_second(name));
        tell("space", name, dlmopen(LM_ID_BASE, name, RTLD_NOW | RTLD_LOCAL));
    }
    free(names);
    return PMPI_Init(count, arguments);
}
#endif
