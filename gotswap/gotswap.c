/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles: opening in memory, closing, replacing and showing slots. */
#include "internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- opening ---- */

/* The object at `address`, opened in `object`, and the code of doing so. */
struct search {
    uintptr_t address;
    gotswap_object *object;
    int code;
};

/* Returns the path of the executable's file, which is "" in the loader's list; the caller frees it. */
static char *executable_path(void)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    return length < 0 ? strdup("") : strndup(path, (size_t)length);
}

static int open_found(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct search *search = context;
    if (!gotswap_linked_contains(info, search->address))
        return 0;
    search->object->path = info->dlpi_name[0] ? strdup(info->dlpi_name) : executable_path();
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
    if (!gotswap_iterate_phdr(open_found, &search))
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
 * True if the slot holds the symbol's address itself.  In an executable with
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

/* Returns the address to which the symbol is bound, or NULL if no slot tells. */
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
