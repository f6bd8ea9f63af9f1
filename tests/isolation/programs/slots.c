/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks at every slot of every object that the host consists of, or loaded: MPI's must lead into the
 * host, none into the adapter but the hooks. Prints how many slots were seen, at three times. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gotswap.h"

static int bad, mpi_slots, objects;
static const char *when;

static const char *object_of(void *address)
{
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fname : "nowhere";
}

static int is_own(const char *path)
{
    return strstr(path, "/libmpi.so.40") || strstr(path, "libopen-rte") || strstr(path, "libopen-pal") ||
           strstr(path, "libgotswap") || strstr(path, "/slots");
}

/* The dynamic linker's functions, and what the host's library asks UCX of a window's memory. */
static int has_hook(const char *symbol, const char *path)
{
    return strcmp(symbol, "dlopen") == 0 || strcmp(symbol, "dlmopen") == 0 || strcmp(symbol, "dlsym") == 0 ||
           (strstr(path, "/libmpich.so.12") && (strcmp(symbol, "ucp_mem_map") == 0 || strcmp(symbol, "ucp_mem_query") == 0));
}

static int visit_slot(const gotswap_slot *slot, void *context)
{
    int is_mpi = strncmp(slot->symbol, "MPI_", 4) == 0 || strncmp(slot->symbol, "PMPI_", 5) == 0 ||
                 strncmp(slot->symbol, "MPIX_", 5) == 0;
    const char *target = object_of(slot->value);
    mpi_slots += is_mpi;
    if (is_mpi ? !slot->bound || !strstr(target, "/libmpich.so.12") : is_own(target) && !has_hook(slot->symbol, context)) {
        printf("%s: %s of %s leads to %s\n", when, slot->symbol, (const char *)context, slot->bound ? target : "the linker");
        bad = 1;
    }
    return 0;
}

static int visit_object(const char *path, const void *base, void *context)
{
    gotswap_object *object;
    (void)context;
    if (is_own(path))
        return 0;
    objects++;
    if (gotswap_open_address(&object, base) != GOTSWAP_OK ||
        gotswap_iterate(object, visit_slot, (void *)path) != GOTSWAP_OK) {
        printf("%s: %s\n", path, gotswap_message());
        bad = 1;
        return 0;
    }
    gotswap_close(object);
    return 0;
}

/* Everything but the program, the adapter and its companions belongs to the host. */
static void look(const char *at)
{
    when = at;
    mpi_slots = objects = 0;
    gotswap_each_loaded(visit_object, 0);
    printf("%s: %d slots of MPI in %d objects\n", at, mpi_slots, objects);
    if (mpi_slots < 100)
        bad = 1;
}

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Win window;
    int word = 0;
    look("loaded");
    MPI_Init(&argc, &argv);
    look("initialized");
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_Win_create(&word, sizeof word, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    look("file and window");
    MPI_Win_free(&window);
    MPI_File_close(&file);
    MPI_Finalize();
    look("finalized");
    return bad;
}
