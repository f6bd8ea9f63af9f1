/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a program: at MPI_Finalize, while the host's plugins are loaded, looks at every slot
 * of every loaded object but the program's side of the adapter. A slot of MPI's must lead into the
 * host's library, and none into the adapter but the hooks of dlopen and dlsym. Says on stderr what does not and how much
 * was seen, and then ends the process with status 99 if anything was wrong. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gotswap.h"

static int wrong, mpi_slots, plugins;

static const char *object_of(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fname : "nowhere";
}

/* The adapter, and what is preloaded with this. */
static int is_own(const char *path)
{
    return strstr(path, "/libmpich.so.12") || strstr(path, "/libmpi.so.12") || strstr(path, "/libgotswap") ||
           strstr(path, "/libisolated.so");
}

static int is_program(const char *path)
{
    char program[4096] = "";
    return readlink("/proc/self/exe", program, sizeof program - 1) > 0 && strcmp(path, program) == 0;
}

static int is_mpi(const char *symbol)
{
    return strncmp(symbol, "MPI_", 4) == 0 || strncmp(symbol, "PMPI_", 5) == 0 || strncmp(symbol, "MPIX_", 5) == 0 ||
           strncmp(symbol, "PMPIX_", 6) == 0;
}

static int visit_slot(const gotswap_slot *slot, void *context)
{
    const char *target = object_of(slot->value);
    int mpi = is_mpi(slot->symbol), is_hook = strncmp(slot->symbol, "dl", 2) == 0;
    mpi_slots += mpi;
    if (mpi ? !slot->bound || !strstr(target, "/libmpi.so.40") : is_own(target) && !is_hook) {
        fprintf(stderr, "isolated: %s of %s leads to %s\n", slot->symbol, (const char *)context,
                slot->bound ? target : "the linker");
        wrong = 1;
    }
    return 0;
}

static int visit_object(const char *path, const void *base, void *context)
{
    gotswap_object *object;
    (void)context;
    if (is_own(path) || is_program(path))
        return 0;
    plugins += strstr(path, "/mca_") != 0;
    if (gotswap_open_address(&object, base) != GOTSWAP_OK ||
        gotswap_iterate(object, visit_slot, (void *)path) != GOTSWAP_OK) {
        fprintf(stderr, "isolated: %s: %s\n", path, gotswap_message());
        wrong = 1;
        return 0;
    }
    gotswap_close(object);
    return 0;
}

int MPI_Finalize(void)
{
    gotswap_each_loaded(visit_object, 0);
    fprintf(stderr, "isolated: %d slots of MPI, %d plugins, %s\n", mpi_slots, plugins, wrong ? "wrong" : "right");
    int rc = PMPI_Finalize();
    const char *least = getenv("ISOLATED_PLUGINS");
    if (wrong || mpi_slots < 10 || plugins < (least ? atoi(least) : 10))
        _Exit(99);
    return rc;
}
