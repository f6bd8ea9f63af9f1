/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The objects that the dynamic loader knows.  Everything wanted is copied
 * while the loader holds its lock, so that callbacks run without it and an
 * object may be unloaded meanwhile.
 */
#include "internal.h"

#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

void gotswap_loaded_extent(const struct dl_phdr_info *info, uintptr_t *start, uintptr_t *end)
{
    *start = UINTPTR_MAX;
    *end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const Elf64_Phdr *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD)
            continue;
        uintptr_t first = info->dlpi_addr + segment->p_vaddr;
        if (first < *start)
            *start = first & ~(gotswap_page_size() - 1);
        if (first + segment->p_memsz > *end)
            *end = first + segment->p_memsz;
    }
}

const Elf64_Dyn *gotswap_loaded_dynamic(const struct dl_phdr_info *info)
{
    static const Elf64_Dyn none = {.d_tag = DT_NULL};
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            return (const Elf64_Dyn *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    return &none;
}

const void *gotswap_loaded_table(const struct dl_phdr_info *info, Elf64_Sxword tag)
{
    uintptr_t start;
    uintptr_t end;
    gotswap_loaded_extent(info, &start, &end);
    for (const Elf64_Dyn *d = gotswap_loaded_dynamic(info); d->d_tag != DT_NULL; d++) {
        if (d->d_tag != tag)
            continue;
        /* Some loaders relocate this entry in place, others, and the vdso, leave it. */
        uintptr_t value = d->d_un.d_ptr;
        return (const void *)(value >= start && value < end ? value : value + info->dlpi_addr);
    }
    return NULL;
}

/* Copies the strings of all entries with this tag, as struct loaded describes it. */
static char *copy_strings(const Elf64_Dyn *dynamic, const char *strings, Elf64_Sxword tag)
{
    size_t size = 1;
    for (const Elf64_Dyn *d = dynamic; strings && d->d_tag != DT_NULL; d++)
        if (d->d_tag == tag)
            size += strlen(strings + d->d_un.d_val) + 1;
    char *copy = malloc(size);
    if (!copy)
        return NULL;
    char *at = copy;
    for (const Elf64_Dyn *d = dynamic; strings && d->d_tag != DT_NULL; d++)
        if (d->d_tag == tag)
            at = stpcpy(at, strings + d->d_un.d_val) + 1;
    *at = '\0';
    return copy;
}

static void free_object(struct loaded *object)
{
    free(object->name);
    free(object->soname);
    free(object->needed);
}

/* Adds one object to the list in `context`; non-zero if memory is short. */
static int add_object(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct loaded_list *list = context;
    uintptr_t end;
    struct loaded object = {0};
    gotswap_loaded_extent(info, &object.base, &end);
    if (end == 0)
        return 0;
    const Elf64_Dyn *dynamic = gotswap_loaded_dynamic(info);
    const char *strings = gotswap_loaded_table(info, DT_STRTAB);
    object.path = object.name = strdup(info->dlpi_name ? info->dlpi_name : "");
    object.soname = copy_strings(dynamic, strings, DT_SONAME);
    object.needed = copy_strings(dynamic, strings, DT_NEEDED);
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

/* Fills in the paths; an object that was unloaded meanwhile is left out. */
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
    if (!dl_iterate_phdr(add_object, list))
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

/* Replaces the address in `context` by the object's first one, if it is in this object. */
static int base_of(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    uintptr_t *address = context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const Elf64_Phdr *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD ||
            *address - (info->dlpi_addr + segment->p_vaddr) >= segment->p_memsz)
            continue;
        uintptr_t end;
        gotswap_loaded_extent(info, address, &end);
        return 1;
    }
    return 0;
}

uintptr_t gotswap_loaded_base(uintptr_t address)
{
    (void)dl_iterate_phdr(base_of, &address);
    return address;
}
