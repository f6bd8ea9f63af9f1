/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/fortran_copy.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "convert/say.h"
#include "gotswap.h"
#include "isolate/adapter_parts.h"
#include "isolate/fortran_sentinels.h"
#include "process/loader.h"

/* A copy of one library for one object. Copies are never unloaded; an object that is opened again gets the same ones. */
static struct copy {
    struct copy *next;
    const char *path; /* the object's */
    const struct adapter_part *original;
    const char *base;
    ptrdiff_t distance; /* from the original to the copy, in memory */
    const void *served; /* the base of the object to whose constants its slots lead; null before */
} *fortran_copies;

static _Thread_local int is_copying;

int fortran_copy_is_loading(void)
{
    return is_copying;
}

static int copy_bytes(int from, int to)
{
    ssize_t some;
    while ((some = sendfile(to, from, 0, 1 << 20)) > 0)
        ;
    return some == 0;
}

/* Returns a file in memory with a copy of the library, or -1. It stays open, or the next one would have its name, and the dynamic
 * linker takes two files of one name for the same. Old C libraries have no function for this system call. */
static int copy_file(const char *path)
{
    int from = open(path, O_RDONLY | O_CLOEXEC), to = (int)syscall(SYS_memfd_create, "mpi-adapter", 1 /* close on exec */);
    if (from >= 0 && to >= 0 && !copy_bytes(from, to)) {
        close(to);
        to = -1;
    }
    if (from >= 0)
        close(from);
    return to;
}

static const struct link_map *load_file(int file)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    is_copying = 1;
    void *handle = file >= 0 ? loader.dlopen(name, RTLD_NOW | RTLD_LOCAL) : 0;
    is_copying = 0;
    return handle ? linked_map(handle) : 0;
}

/* Returns how far the copy is from the original in memory, for all of their segments; 0 on error. */
static ptrdiff_t distance_to(const struct link_map *copy, const char *path)
{
    void *handle = loader.dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    const struct link_map *original = handle ? linked_map(handle) : 0;
    return original ? (ptrdiff_t)(copy->l_addr - original->l_addr) : 0;
}

static struct copy *make_copy(const char *path, const struct adapter_part *original)
{
    const struct link_map *map = load_file(copy_file(original->path));
    struct copy *copy = map ? malloc(sizeof *copy) : 0;
    ptrdiff_t distance = copy ? distance_to(map, original->path) : 0;
    if (distance == 0)
        return 0;
    *copy = (struct copy){ 0, strdup(path), original, (const char *)original->begin + distance, distance, 0 };
    sentinels_leave(copy->base);
    copy->next = __atomic_load_n(&fortran_copies, __ATOMIC_ACQUIRE);
    while (!__atomic_compare_exchange_n(&fortran_copies, &copy->next, copy, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        ;
    return copy;
}

static struct copy *copy_for(const char *path, const struct adapter_part *original)
{
    struct copy *copy = __atomic_load_n(&fortran_copies, __ATOMIC_ACQUIRE);
    while (copy && (copy->original != original || !copy->path || strcmp(copy->path, path) != 0))
        copy = copy->next;
    return copy ? copy : make_copy(path, original);
}

/* An object whose calls are led to copies. */
struct serving {
    const struct held *object;
    int has_failed;
};

/* A symbol, and its address in the object that begins at `base`; null if that does not define it. */
struct definition {
    const void *base;
    const char *symbol;
    void *address;
};

static void find_definition(const gotswap_list *list, void *context)
{
    struct definition *wanted = context;
    for (size_t i = 0; i < list->count; i++)
        if (list->objects[i].base == wanted->base)
            wanted->address = gotswap_defined(&list->objects[i], wanted->symbol, 0);
}

static void *choose_constant(const char *symbol, void *current, void *context)
{
    const struct serving *serving = context;
    struct definition defined = { serving->object->base, symbol, 0 };
    void *shared = sentinels_find(symbol);
    if (shared)
        linked_look(find_definition, &defined);
    return defined.address ? defined.address : shared;
}

/* Leads the copy's slots of constants to the object's, once for each place at which the object is loaded. Returns 0 on error. */
static int lead_constants(struct copy *copy, struct serving *serving)
{
    gotswap_object *opened;
    if (__atomic_load_n(&copy->served, __ATOMIC_ACQUIRE) == serving->object->base)
        return 1;
    if (gotswap_open_memory(&opened, copy->base) != GOTSWAP_OK)
        return 0;
    int rc = gotswap_replace_each(opened, choose_constant, serving, 0);
    gotswap_close(opened);
    if (rc == GOTSWAP_OK)
        __atomic_store_n(&copy->served, serving->object->base, __ATOMIC_RELEASE);
    return rc == GOTSWAP_OK;
}

/* A slot that the dynamic linker has yet to fill leads into the object itself. */
static void *choose_procedure(const char *symbol, void *current, void *context)
{
    struct serving *serving = context;
    int is_lazy = current >= serving->object->base && current < serving->object->end;
    char *target = is_lazy && is_mpi(symbol) ? adapter_procedure(symbol) : current;
    const struct adapter_part *original = adapter_part_of(target);
    if (!original || !sentinels_are_of(original->begin, original->end))
        return 0;
    struct copy *copy = copy_for(serving->object->path, original);
    serving->has_failed |= !copy || !lead_constants(copy, serving);
    return copy ? target + copy->distance : 0;
}

void fortran_copy_serve(const struct held *object)
{
    struct serving serving = { object, 0 };
    gotswap_object *opened;
    int rc = gotswap_open_memory(&opened, object->base);
    if (rc == GOTSWAP_OK) {
        rc = gotswap_replace_each(opened, choose_procedure, &serving, 0);
        gotswap_close(opened);
    }
    if (rc != GOTSWAP_OK || serving.has_failed)
        complain("%s has Fortran constants of its own, so MPI_IN_PLACE and its like are not recognized in its calls; mount /proc, "
                 "or link it without -Bsymbolic",
                 object->path);
}
