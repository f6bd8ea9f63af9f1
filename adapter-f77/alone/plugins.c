/* SPDX-License-Identifier: BSD-3-Clause */
/* Plugins of an interpreter, opened with RTLD_LOCAL. Each that was compiled with mpif.h has copies of the common blocks of Fortran's
 * constants, and the dynamic linker binds this library to the first one's. Later plugins use the copy that is in the global scope,
 * if one is: so the library puts itself there, and leads the slots of what came with it to the same copy. Where other objects are
 * loaded later, nothing has to be done. An object without slots of its copies (-Bsymbolic) keeps them, as does what came with it.
 * A pair's library for C does better (isolate/fortran_sentinels.h): it serves these, and plugins that see their own copies ahead of
 * the global scope (RTLD_DEEPBIND). */
#include <dlfcn.h>
#include <string.h>

#include "fortran.h"
#include "gotswap.h"

enum { CONSTANTS = 16 };

/* A constant: where its slots lead, and where they shall lead; null if that is the same, or is left as it is. */
struct constant {
    const char *symbol;
    const void *bound;
    void *shared;
};

static struct constant constants[CONSTANTS];

/* Returns whether the library with this handle is in the global scope now. Other namespaces have none. */
static int is_made_global(void *handle, const char *path)
{
    Lmid_t namespace;
    return dlinfo(handle, RTLD_DI_LMID, &namespace) == 0 && namespace == LM_ID_BASE &&
           dlopen(path, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
}

/* All logical values are those of one compiler. */
static void ignore_arrivals(void)
{
}

/* Returns whether the library for C that this one needs is a pair's, which leads all slots to these constants, now and later. */
static int is_left_to_pair(void *handle)
{
    typedef void isolate(const struct sentinel *table, void (*loaded)(void));
    isolate *const *sentinels = dlvsym(handle, "mpi_adapter_sentinels", "MPI_ADAPTER_PRIVATE");
    if (sentinels)
        (*sentinels)(sentinel_symbols, ignore_arrivals);
    return sentinels != 0;
}

/* Returns how many constants are not bound to the copy in the global scope. RTLD_DEFAULT would begin with the scope of a plugin that
 * was opened with RTLD_DEEPBIND. */
static int find_shared(void)
{
    int found = 0, i = 0;
    void *global = dlopen(0, RTLD_LAZY);
    for (const struct sentinel *row = sentinel_symbols; row->symbol && i < CONSTANTS; row++, i++) {
        void *shared = dlsym(global, row->symbol);
        constants[i] = (struct constant){ row->symbol, row->address, shared == row->address ? 0 : shared };
        found += constants[i].shared != 0;
    }
    return found;
}

static void leave_fixed(const gotswap_list *list, void *context)
{
    for (size_t i = 0; i < list->count; i++)
        for (struct constant *constant = constants; constant->symbol; constant++) {
            int is_fixed = 0;
            if (gotswap_defined(&list->objects[i], constant->symbol, &is_fixed) == constant->bound && is_fixed)
                constant->shared = 0;
        }
}

static void *choose(const char *symbol, void *current, void *context)
{
    for (const struct constant *constant = constants; constant->symbol; constant++)
        if (current == constant->bound && strcmp(symbol, constant->symbol) == 0)
            return constant->shared;
    return 0;
}

static int lead_slots(const char *path, const void *base, void *context)
{
    gotswap_object *object;
    int rc = gotswap_open_memory(&object, base);
    if (rc == GOTSWAP_OK) {
        rc = gotswap_replace_each(object, choose, 0, 0);
        gotswap_close(object);
    }
    if (rc != GOTSWAP_OK)
        complain("the constants of %s are not led to those of other plugins (%s); preload libmpi_adapter_fortran.so.1", path,
                 gotswap_message());
    return 0;
}

__attribute__((constructor)) static void share_constants(void)
{
    Dl_info own;
    void *handle = dladdr(constants, &own) ? dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : 0;
    if (!handle || is_left_to_pair(handle) || !is_made_global(handle, own.dli_fname) || find_shared() == 0)
        return;
    gotswap_look(leave_fixed, 0);
    gotswap_each_loaded(lead_slots, 0);
}
