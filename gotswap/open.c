/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens an object by its file, whose path is in /proc/self/maps. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

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
    /* The address of the program headers is the executable's even if the loader was started with
       it as an argument; /proc/self/exe would then be the loader. */
    return name ? open_name(out, name) : open_address(out, getauxval(AT_PHDR));
}

int gotswap_open_address(gotswap_object **out, const void *address_inside)
{
    if (!out || !address_inside)
        return gotswap_fail(GOTSWAP_EINVAL, "gotswap_open_address: a null argument");
    return open_address(out, (uintptr_t)address_inside);
}
