/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "own.h"

#include <dlfcn.h>
#include <string.h>

#include "error.h"
#include "dynamic.h"

/* A part is never unloaded (-z nodelete), and its entry is complete before it is counted. */
enum { PARTS = 16 };
static struct part {
    const void *begin, *end;
} parts[PARTS];
static int part_count;

int is_adapter(const void *address)
{
    int count = __atomic_load_n(&part_count, __ATOMIC_ACQUIRE);
    for (int i = 0; i < count; i++)
        if (address >= parts[i].begin && address < parts[i].end)
            return 1;
    return 0;
}

/* Where the adapter's own library is. */
static struct {
    const void *base;
    const char *path;
} self;

static void find_self(const struct linked_list *list)
{
    for (size_t i = 0; i < list->count && !self.base; i++) {
        const struct linked *object = &list->objects[i];
        if ((const void *)own_add < object->base || (const void *)own_add >= object->end)
            continue;
        self.base = object->base;
        self.path = strdup(object->path);
    }
}

static int is_beside_self(const struct linked *object)
{
    size_t folder = self.path ? (size_t)(linked_file(self.path) - self.path) : 0;
    return folder > 0 && strncmp(object->path, self.path, folder) == 0 && !strchr(object->path + folder, '/');
}

/* The dynamic linker's list is locked: no other thread adds. */
void own_add(const struct linked_list *list, size_t first)
{
    find_self(list);
    for (size_t i = first; i < list->count; i++) {
        const struct linked *object = &list->objects[i];
        if ((object->base != self.base && !is_beside_self(object)) || is_adapter(object->base))
            continue;
        if (part_count == PARTS)
            give_up("more than %d libraries lie in the adapter's folder; put others elsewhere", PARTS);
        parts[part_count] = (struct part){ object->base, object->end };
        __atomic_store_n(&part_count, part_count + 1, __ATOMIC_RELEASE);
    }
}

void *own_find(const char *symbol)
{
    static void *handle;
    Dl_info own;
    if (!__atomic_load_n(&handle, __ATOMIC_ACQUIRE) && dladdr((void *)own_find, &own))
        __atomic_store_n(&handle, loader.dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD), __ATOMIC_RELEASE);
    void *found = handle ? loader.dlsym(handle, symbol) : 0;
    return is_adapter(found) ? found : 0;
}
