/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a program: during MPI_Init, puts a function of its own into every slot of dlopen of every
 * object, the adapter's and the host's among them, as UCX does to see what is loaded. TAKER says when:
 * "before" or "after" the rest of MPI_Init; TAKER_CALLS whether the function calls dlopen() by its address
 * or by this library's own "slot". Says at MPI_Finalize whether it saw an opening of
 * what TAKER_SEES names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gotswap.h"

static void *(*original)(const char *, int);
static int seen;

static void *taker_dlopen(const char *file, int mode)
{
    seen |= file && strstr(file, getenv("TAKER_SEES"));
    return strcmp(getenv("TAKER_CALLS"), "slot") == 0 ? dlopen(file, mode) : original(file, mode);
}

static int take_slot(const char *path, const void *base, void *context)
{
    gotswap_object *object;
    Dl_info own;
    (void)path, (void)context;
    if (!dladdr((void *)taker_dlopen, &own) || own.dli_fbase == base || gotswap_open_address(&object, base) != GOTSWAP_OK)
        return 0;
    gotswap_replace(object, "dlopen", (void *)taker_dlopen, 0);
    gotswap_close(object);
    return 0;
}

static void take_slots(const char *when)
{
    if (strcmp(getenv("TAKER"), when) != 0)
        return;
    original = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    gotswap_each_loaded(take_slot, 0);
}

int MPI_Init(int *argc, char ***argv)
{
    take_slots("before");
    int rc = PMPI_Init(argc, argv);
    take_slots("after");
    return rc;
}

int MPI_Finalize(void)
{
    fprintf(stderr, "taker: %s\n", seen ? "seen" : "not seen");
    return PMPI_Finalize();
}
