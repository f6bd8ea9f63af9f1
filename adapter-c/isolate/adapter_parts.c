/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/adapter_parts.h"

#include <dlfcn.h>
#include <string.h>

#include "convert/facts.h"
#include "convert/say.h"
#include "process/loader.h"
#include "process/names.h"

/* A part is never unloaded (-z nodelete), and its entry is complete before it is counted. */
enum { PARTS = 16 };
static struct adapter_part parts[PARTS];
static int part_count;

const struct adapter_part *adapter_part_of(const void *address)
{
    int count = __atomic_load_n(&part_count, __ATOMIC_ACQUIRE);
    for (int i = 0; i < count; i++)
        if (address >= parts[i].begin && address < parts[i].end)
            return &parts[i];
    return 0;
}

int is_adapter(const void *address)
{
    return adapter_part_of(address) != 0;
}

/* The adapter's library for C, which this code is in. */
static struct {
    const void *base;
    const char *path;
} self;

static void find_self(const gotswap_list *list)
{
    for (size_t i = 0; i < list->count && !self.base; i++) {
        const gotswap_linked *object = &list->objects[i];
        if (!linked_contains(object, (const void *)adapter_parts_add))
            continue;
        self.base = object->base;
        self.path = strdup(object->name);
    }
}

static int is_part(const gotswap_linked *object)
{
    const char *file = linked_file(object->name);
    size_t folder = self.path ? (size_t)(linked_file(self.path) - self.path) : 0;
    return object->base == self.base || (folder > 0 && folder == (size_t)(file - object->name) &&
                                         strncmp(object->name, self.path, folder) == 0 &&
                                         is_application_name(file));
}

/* The lock of the dynamic linker's list keeps other threads from adding parts. */
void adapter_parts_add(const gotswap_list *list, size_t first)
{
    find_self(list);
    for (size_t i = first; i < list->count; i++) {
        const gotswap_linked *object = &list->objects[i];
        if (!is_part(object) || is_adapter(object->base))
            continue;
        if (part_count == PARTS)
            give_up("more than %d libraries of the adapter's folder are loaded; move your own elsewhere", PARTS);
        parts[part_count] = (struct adapter_part){ object->base, object->end, strdup(object->name), 0 };
        __atomic_store_n(&part_count, part_count + 1, __ATOMIC_RELEASE);
    }
}

static void *open_part(struct adapter_part *part)
{
    void *handle = __atomic_load_n(&part->handle, __ATOMIC_ACQUIRE);
    if (!handle && part->path) {
        handle = loader.dlopen(part->path, RTLD_LAZY | RTLD_NOLOAD);
        __atomic_store_n(&part->handle, handle, __ATOMIC_RELEASE);
    }
    return handle;
}

void *adapter_procedure(const char *symbol)
{
    int count = __atomic_load_n(&part_count, __ATOMIC_ACQUIRE);
    for (int i = 0; i < count; i++) {
        void *handle = open_part(&parts[i]);
        void *found = handle ? loader.dlsym(handle, symbol) : 0;
        if (is_adapter(found))
            return found;
    }
    return 0;
}
