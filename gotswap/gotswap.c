/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles, and what can be done with one; see gotswap.h. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

struct gotswap_object {
    char *path;
    struct image image;
};

/* ---- opening ---- */

static int read_object(struct gotswap_object *object, const struct maps *maps, uintptr_t address)
{
    const struct region *region = gotswap_maps_find(maps, address);
    if (!region || !region->path[0])
        return gotswap_fail(GOTSWAP_ENOTLOADED, "%p: no loaded object is there", (void *)address);
    if (region->path[0] != '/')
        return gotswap_fail(GOTSWAP_EFILE, "%s: has no file", region->path);
    object->path = strdup(region->path);
    if (!object->path)
        return gotswap_fail_memory();
    return gotswap_image_read(&object->image, maps, region);
}

static int open_at(gotswap_object **out, const struct maps *maps, uintptr_t address)
{
    struct gotswap_object *object = calloc(1, sizeof *object);
    if (!object)
        return gotswap_fail_memory();
    int code = read_object(object, maps, address);
    if (code)
        gotswap_close(object);
    else
        *out = object;
    return code;
}

static int open_address(gotswap_object **out, uintptr_t address)
{
    struct maps maps;
    int code = gotswap_maps_read(&maps);
    if (code)
        return code;
    /* The address may be in memory without a file (bss), but the first byte is not. */
    code = open_at(out, &maps, gotswap_loaded_base(address));
    gotswap_maps_free(&maps);
    return code;
}

/* Opens an object that is not in the loader's list, as it is in another namespace. */
static int open_mapped_path(gotswap_object **out, const struct maps *maps, const char *name)
{
    char *real = realpath(name, NULL);
    const struct region *found = NULL;
    for (size_t i = 0; real && !found && i < maps->count; i++)
        if ((maps->regions[i].prot & PROT_EXEC) && strcmp(maps->regions[i].path, real) == 0)
            found = &maps->regions[i];
    free(real);
    if (!found)
        return gotswap_fail(GOTSWAP_ENOTLOADED, "%s: not loaded", name);
    return open_at(out, maps, found->start);
}

static int open_name(gotswap_object **out, const char *name)
{
    struct loaded_list list;
    int code = gotswap_loaded_read(&list);
    if (code)
        return code;
    const struct loaded *found = gotswap_loaded_find(&list, name);
    if (found)
        code = open_at(out, &list.maps, found->base);
    else if (strchr(name, '/'))
        code = open_mapped_path(out, &list.maps, name);
    else
        code = gotswap_fail(GOTSWAP_ENOTLOADED, "%s: not loaded", name);
    gotswap_loaded_free(&list);
    return code;
}

int gotswap_open(gotswap_object **out, const char *name)
{
    if (!out)
        return gotswap_fail(GOTSWAP_EINVAL, "gotswap_open: no place for the handle");
    /* Where its program headers are is true even if the executable was started by naming the
       loader on the command line, unlike /proc/self/exe. */
    return name ? open_name(out, name) : open_address(out, getauxval(AT_PHDR));
}

int gotswap_open_address(gotswap_object **out, const void *address_inside)
{
    if (!out || !address_inside)
        return gotswap_fail(GOTSWAP_EINVAL, "gotswap_open_address: a null argument");
    return open_address(out, (uintptr_t)address_inside);
}

/* What is wanted of an object that is looked for in the loader's list. */
struct search {
    uintptr_t address;
    gotswap_object *object;
    int code;
};

static int open_found(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct search *search = context;
    if (!gotswap_linked_contains(info, search->address))
        return 0;
    search->object->path = info->dlpi_name[0] ? strdup(info->dlpi_name) : realpath("/proc/self/exe", NULL);
    search->code = search->object->path ? gotswap_image_read_memory(&search->object->image, info)
                                        : gotswap_fail_memory();
    return 1;
}

int gotswap_open_memory(gotswap_object **out, const void *address_inside)
{
    if (!out || !address_inside)
        return gotswap_fail(GOTSWAP_EINVAL, "gotswap_open_memory: a null argument");
    struct search search = {(uintptr_t)address_inside, calloc(1, sizeof(gotswap_object)), GOTSWAP_OK};
    if (!search.object)
        return gotswap_fail_memory();
    if (!dl_iterate_phdr(open_found, &search))
        search.code = gotswap_fail(GOTSWAP_ENOTLOADED, "%p: no loaded object is there", address_inside);
    if (search.code)
        gotswap_close(search.object);
    else
        *out = search.object;
    return search.code;
}

int gotswap_close(gotswap_object *object)
{
    if (object) {
        gotswap_image_free(&object->image);
        free(object->path);
        free(object);
    }
    return GOTSWAP_OK;
}

const char *gotswap_path(const gotswap_object *object)
{
    return object ? object->path : NULL;
}

const void *gotswap_base(const gotswap_object *object)
{
    return object ? (const void *)object->image.start : NULL;
}

/* ---- swapping ---- */

static bool is_bound(const struct slot *slot, uintptr_t content)
{
    return slot->lazy == 0 || slot->lazy != content;
}

static struct change *new_changes(const gotswap_object *object)
{
    struct change *changes = malloc((object->image.count + 1) * sizeof *changes);
    if (!changes)
        gotswap_fail_memory();
    return changes;
}

static int write_locked(gotswap_object *object, const struct change *changes, size_t count)
{
    gotswap_write_lock();
    int code = gotswap_write(object->path, &object->image, changes, count);
    gotswap_write_unlock();
    return code;
}

int gotswap_replace_each(gotswap_object *object, gotswap_choose choose, void *context,
                         size_t *replaced)
{
    if (!object || !choose)
        return gotswap_fail(GOTSWAP_EINVAL, "gotswap_replace_each: a null argument");
    struct change *changes = new_changes(object);
    if (!changes)
        return GOTSWAP_EMEM;
    size_t chosen = 0;
    size_t count = 0;
    for (size_t i = 0; i < object->image.count; i++) {
        struct slot *slot = &object->image.slots[i];
        uintptr_t content = gotswap_content(slot->address);
        uintptr_t addend = (uintptr_t)slot->addend;
        void *address = choose(slot->symbol, (void *)(content - addend), context);
        if (!address)
            continue;
        chosen++;
        if ((uintptr_t)address + addend != content)
            changes[count++] = (struct change){slot, (uintptr_t)address + addend};
    }
    int code = write_locked(object, changes, count);
    free(changes);
    if (!code && replaced)
        *replaced = chosen;
    return code;
}

struct one_symbol {
    const char *symbol;
    void *address;
};

static void *choose_one(const char *symbol, void *current, void *context)
{
    (void)current;
    const struct one_symbol *wanted = context;
    return strcmp(symbol, wanted->symbol) == 0 ? wanted->address : NULL;
}

/*
 * Whether the slot holds the symbol's address itself.  In an executable with
 * fixed addresses, the address of an imported function is a PLT entry of the
 * executable; a call to it goes through a slot that is about to be replaced.
 */
static bool holds_original(const gotswap_object *object, const struct slot *slot,
                           uintptr_t content)
{
    uintptr_t address = content - (uintptr_t)slot->addend;
    bool inside = address >= object->image.start && address < object->image.end;
    return is_bound(slot, content) && !(slot->imported && inside);
}

/* What the symbol is bound to, or NULL if no slot tells. */
static void *bound_address(const gotswap_object *object, const char *symbol)
{
    for (size_t i = 0; i < object->image.count; i++) {
        const struct slot *slot = &object->image.slots[i];
        uintptr_t content = gotswap_content(slot->address);
        if (strcmp(slot->symbol, symbol) == 0 && holds_original(object, slot, content))
            return (void *)(content - (uintptr_t)slot->addend);
    }
    return NULL;
}

int gotswap_replace(gotswap_object *object, const char *symbol, void *new_address,
                    void **old_address)
{
    if (!object || !symbol || !new_address)
        return gotswap_fail(GOTSWAP_EINVAL, "gotswap_replace: a null argument");
    struct one_symbol wanted = {symbol, new_address};
    void *old = bound_address(object, symbol);
    size_t replaced = 0;
    int code = gotswap_replace_each(object, choose_one, &wanted, &replaced);
    if (code)
        return code;
    if (replaced == 0)
        return gotswap_fail(GOTSWAP_ENOSYM, "%s: no slot of the symbol %s", object->path, symbol);
    if (old_address)
        *old_address = old;
    return GOTSWAP_OK;
}

int gotswap_restore(gotswap_object *object)
{
    if (!object)
        return gotswap_fail(GOTSWAP_EINVAL, "gotswap_restore: a null argument");
    struct change *changes = new_changes(object);
    if (!changes)
        return GOTSWAP_EMEM;
    size_t count = 0;
    gotswap_write_lock();
    for (size_t i = 0; i < object->image.count; i++) {
        struct slot *slot = &object->image.slots[i];
        if (slot->swapped)
            changes[count++] = (struct change){slot, slot->former};
    }
    int code = gotswap_write(object->path, &object->image, changes, count);
    for (size_t i = 0; !code && i < count; i++)
        changes[i].slot->swapped = false;
    gotswap_write_unlock();
    free(changes);
    return code;
}

int gotswap_iterate(gotswap_object *object, int (*visit)(const gotswap_slot *, void *),
                    void *context)
{
    if (!object || !visit)
        return gotswap_fail(GOTSWAP_EINVAL, "gotswap_iterate: a null argument");
    for (size_t i = 0; i < object->image.count; i++) {
        const struct slot *slot = &object->image.slots[i];
        uintptr_t content = gotswap_content(slot->address);
        gotswap_slot shown = {
            .symbol = slot->symbol,
            .slot = (void **)slot->address,
            .value = (void *)content,
            .addend = slot->addend,
            .type = slot->type,
            .bound = is_bound(slot, content),
            .imported = slot->imported,
        };
        int result = visit(&shown, context);
        if (result)
            return result;
    }
    return GOTSWAP_OK;
}
