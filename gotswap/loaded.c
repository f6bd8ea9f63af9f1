/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies the dynamic loader's list while the loader holds its lock, so that
 * callbacks run without the lock, and objects may be unloaded meanwhile.
 */
#include "internal.h"

#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

/* Copies the strings of all entries with this tag, as struct loaded describes it. */
static char *copy_strings(const gotswap_linked *linked, long tag)
{
    const char *string;
    size_t size = 1;
    for (size_t i = 0; (string = gotswap_string(linked, tag, i)); i++)
        size += strlen(string) + 1;
    char *copy = malloc(size);
    if (!copy)
        return NULL;
    char *at = copy;
    for (size_t i = 0; (string = gotswap_string(linked, tag, i)); i++)
        at = stpcpy(at, string) + 1;
    *at = '\0';
    return copy;
}

static void free_object(struct loaded *object)
{
    free(object->name);
    free(object->soname);
    free(object->needed);
}

/* Adds one object to the list in `context`; returns 1 if memory runs out. */
static int add_object(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct loaded_list *list = context;
    const gotswap_linked linked = gotswap_linked_describe(info);
    if (!linked.end)
        return 0;
    struct loaded object = {
        .base = (uintptr_t)linked.base,
        .name = strdup(linked.name),
        .soname = copy_strings(&linked, DT_SONAME),
        .needed = copy_strings(&linked, DT_NEEDED),
    };
    object.path = object.name;
    struct loaded *larger = realloc(list->objects, (list->count + 1) * sizeof *larger);
    if (larger)
        list->objects = larger;
    if (!larger || !object.name || !object.soname || !object.needed) {
        free_object(&object);
        return 1;
    }
    list->objects[list->count++] = object;
    return 0;
}

/* Adds the paths, and removes objects that were unloaded meanwhile. */
static int add_paths(struct loaded_list *list)
{
    int code = gotswap_maps_read(&list->maps);
    if (code)
        return code;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct loaded object = list->objects[i];
        const struct region *region = gotswap_maps_find(&list->maps, object.base);
        if (region) {
            object.path = region->path;
            list->objects[kept++] = object;
        } else {
            free_object(&object);
        }
    }
    list->count = kept;
    return GOTSWAP_OK;
}

int gotswap_loaded_names(struct loaded_list *list)
{
    *list = (struct loaded_list){0};
    if (!gotswap_iterate_phdr(add_object, list))
        return GOTSWAP_OK;
    gotswap_loaded_free(list);
    return gotswap_fail_memory();
}

int gotswap_loaded_read(struct loaded_list *list)
{
    int code = gotswap_loaded_names(list);
    if (!code)
        code = add_paths(list);
    if (code)
        gotswap_loaded_free(list);
    return code;
}

void gotswap_loaded_free(struct loaded_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free_object(&list->objects[i]);
    free(list->objects);
    gotswap_maps_free(&list->maps);
    *list = (struct loaded_list){0};
}

static const char *last_component(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const struct loaded *find_path(const struct loaded_list *list, const char *name)
{
    char *real = realpath(name, NULL);
    const struct loaded *found = NULL;
    for (size_t i = 0; i < list->count && !found; i++) {
        const struct loaded *object = &list->objects[i];
        if (strcmp(object->path, real ? real : name) == 0 || strcmp(object->name, name) == 0)
            found = object;
    }
    free(real);
    return found;
}

const struct loaded *gotswap_loaded_find(const struct loaded_list *list, const char *name)
{
    if (strchr(name, '/'))
        return find_path(list, name);
    if (!*name)
        return NULL; /* not every object without a soname */
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->objects[i].soname, name) == 0)
            return &list->objects[i];
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(last_component(list->objects[i].name), name) == 0 ||
            strcmp(last_component(list->objects[i].path), name) == 0)
            return &list->objects[i];
    return NULL;
}

/* Replaces the address in `context` by that of the object's first byte, if the object has it. */
static int find_base(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    uintptr_t *address = context;
    if (!gotswap_linked_contains(info, *address))
        return 0;
    *address = (uintptr_t)gotswap_linked_locate(info).base;
    return 1;
}

uintptr_t gotswap_loaded_base(uintptr_t address)
{
    (void)gotswap_iterate_phdr(find_base, &address);
    return address;
}
