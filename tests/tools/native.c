/* SPDX-License-Identifier: BSD-3-Clause */
/* native HOST WORLD HOW [LIBRARY]: the host's own bindings for Fortran, in a program that is adapted.
 * HOW they come: `loaded` here, by dlopen(), before or after (`late`) MPI is initialized, or `preloaded`.
 * Each of their slots of MPI's must lead to HOST, and PMPI_COMM_SIZE in Fortran, with the host's handle
 * WORLD, must give the size. Prints "right", or what is wrong. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gotswap.h"

static const char *host;
static int slots, bad;

static int visit(const gotswap_slot *slot, void *context)
{
    Dl_info info = { 0 };
    (void)context;
    if (strncmp(slot->symbol, "MPI_", 4) != 0 && strncmp(slot->symbol, "PMPI_", 5) != 0)
        return 0;
    slots++;
    if (slot->bound && dladdr(slot->value, &info) && strncmp(slot->symbol, "MPI_F_", 6) == 0)
        return 0; /* data of the bindings' own */
    if (!slot->bound || !dladdr(slot->value, &info) || !strstr(info.dli_fname, host)) {
        printf("%s leads to %s\n", slot->symbol, slot->bound ? info.dli_fname : "the linker");
        bad = 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    int late = argc > 3 && strcmp(argv[3], "late") == 0;
    int world, size = -1, error = -1;
    void *library = RTLD_DEFAULT;
    gotswap_object *object;
    host = argv[1];
    world = atoi(argv[2]);
    if (late)
        MPI_Init(&argc, &argv);
    if (strcmp(argv[3], "preloaded") != 0)
        library = dlopen(argv[4], RTLD_LAZY | RTLD_LOCAL);
    void (*comm_size)(int *, int *, int *) = (void (*)(int *, int *, int *))dlsym(library, "pmpi_comm_size_");
    if (!comm_size) {
        printf("%s\n", dlerror());
        return 1;
    }
    if (!late)
        MPI_Init(&argc, &argv);
    if (gotswap_open_address(&object, (void *)comm_size) != GOTSWAP_OK || gotswap_iterate(object, visit, 0) != GOTSWAP_OK)
        bad = printf("%s\n", gotswap_message());
    comm_size(&world, &size, &error);
    if (size != 1 || error != 0)
        bad = printf("size %d, error %d\n", size, error);
    if (slots < 50)
        bad = printf("only %d slots\n", slots);
    MPI_Finalize();
    puts(bad ? "wrong" : "right");
    return bad != 0;
}
