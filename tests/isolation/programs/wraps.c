/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool that wraps procedures as those made with GOTCHA do: puts functions of its own into the slots of their MPI_ and PMPI_ names
 * in every object but its own, and does so again after each dlopen(), whose slots it takes, too. With WRAPS_LATE, it waits for a call of
 * wraps_begin() and leaves dlopen() alone. With WRAPS_BACK, it does so at each free() of the adapter's, too: whoever binds slots, it has the last
 * word. Prints at the end how often each was called: a call that the host makes of itself would count. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "gotswap.h"

#define WRAP(name, parameters, arguments) \
    static int calls_##name, (*original_##name) parameters; \
    static int wrapper_##name parameters { calls_##name++; return original_##name arguments; }

WRAP(MPI_Comm_size, (MPI_Comm comm, int *size), (comm, size))
WRAP(MPI_Comm_rank, (MPI_Comm comm, int *rank), (comm, rank))
WRAP(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm *copy), (comm, copy))
WRAP(MPI_Type_size, (MPI_Datatype type, int *size), (type, size))
WRAP(MPI_Type_free, (MPI_Datatype *type), (type))
WRAP(PMPI_Comm_size, (MPI_Comm comm, int *size), (comm, size))
WRAP(PMPI_Comm_rank, (MPI_Comm comm, int *rank), (comm, rank))
WRAP(PMPI_Comm_dup, (MPI_Comm comm, MPI_Comm *copy), (comm, copy))
WRAP(PMPI_Type_size, (MPI_Datatype type, int *size), (type, size))
WRAP(PMPI_Type_free, (MPI_Datatype *type), (type))

static void *(*original_dlopen)(const char *, int);
static void *wrapper_dlopen(const char *file, int mode);

#define WRAPPED(name) { #name, (void *)wrapper_##name, (void **)&original_##name }
static const struct wrapped {
    const char *name;
    void *wrapper, **original;
} all[] = {
    WRAPPED(MPI_Comm_size), WRAPPED(MPI_Comm_rank), WRAPPED(MPI_Comm_dup), WRAPPED(MPI_Type_size), WRAPPED(MPI_Type_free),
    WRAPPED(PMPI_Comm_size), WRAPPED(PMPI_Comm_rank), WRAPPED(PMPI_Comm_dup), WRAPPED(PMPI_Type_size), WRAPPED(PMPI_Type_free),
    WRAPPED(dlopen),
};
enum { COUNT = sizeof all / sizeof *all };
static int count; /* of the first of these that are wrapped */

/* The slots that are taken, and by what. */
static struct { void **slot, *wrapper; } watched[1024];
static int watched_count;

static int watch_slot(const gotswap_slot *slot, void *context)
{
    (void)context;
    for (int i = 0; i < COUNT - 1 && watched_count < 1024; i++)
        if (slot->value == all[i].wrapper) {
            watched[watched_count].slot = slot->slot;
            watched[watched_count++].wrapper = slot->value;
        }
    return 0;
}

static int wrap_object(const char *path, const void *base, void *context)
{
    gotswap_object *object;
    Dl_info own;
    (void)path, (void)context;
    if (!dladdr((void *)wrap_object, &own) || own.dli_fbase == base || gotswap_open_address(&object, base) != GOTSWAP_OK)
        return 0;
    for (int i = 0; i < count; i++)
        gotswap_replace(object, all[i].name, all[i].wrapper, 0);
    if (getenv("WRAPS_BACK"))
        gotswap_iterate(object, watch_slot, 0);
    gotswap_close(object);
    return 0;
}

static int is_wrapping;

static void wrap_all(void)
{
    is_wrapping = 1;
    watched_count = 0;
    gotswap_each_loaded(wrap_object, 0);
    is_wrapping = 0;
}

static void *wrapper_dlopen(const char *file, int mode)
{
    void *handle = original_dlopen(file, mode);
    wrap_all();
    return handle;
}

static void wrap(void)
{
    for (int i = 0; i < count; i++)
        *all[i].original = dlsym(RTLD_DEFAULT, all[i].name);
    wrap_all();
}

extern void __libc_free(void *);

/* The library that gives the program MPI frees what it knew of an object between binding its slots and looking at them. */
static int is_of_adapter(const void *address)
{
    Dl_info found, adapter;
    return dladdr(address, &found) && dladdr((void *)original_MPI_Comm_rank, &adapter) && found.dli_fbase == adapter.dli_fbase;
}

void free(void *memory)
{
    int is_taken = 0;
    /* Others free while objects go whose slots are watched. */
    if (!is_wrapping && watched_count && getenv("WRAPS_BACK") && is_of_adapter(__builtin_return_address(0))) {
        for (int i = 0; i < watched_count; i++)
            is_taken |= *watched[i].slot != watched[i].wrapper;
        if (is_taken)
            wrap_all();
    }
    __libc_free(memory);
}

void wraps_begin(void)
{
    if (getenv("WRAPS_LATE"))
        wrap();
}

__attribute__((constructor)) static void begin(void)
{
    count = getenv("WRAPS_LATE") ? COUNT - 1 : COUNT;
    if (count == COUNT)
        wrap();
}

__attribute__((destructor)) static void tell(void)
{
    fprintf(stderr, "wraps: %d %d %d %d %d, P %d %d %d %d %d\n", calls_MPI_Comm_size, calls_MPI_Comm_rank, calls_MPI_Comm_dup,
            calls_MPI_Type_size, calls_MPI_Type_free, calls_PMPI_Comm_size, calls_PMPI_Comm_rank, calls_PMPI_Comm_dup,
            calls_PMPI_Type_size, calls_PMPI_Type_free);
}
