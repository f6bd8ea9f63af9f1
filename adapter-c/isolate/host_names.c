/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "isolate/host_names.h"

#include <string.h>

#include "config.h"
#include "convert/say.h"

/* Of the library that was loaded; empty where the family has that name. */
static const char *own = "";

/* An object of the dynamic linker's list, by its dynamic section. */
static void note(const gotswap_list *list, void *context)
{
    for (size_t i = 0; i < list->count; i++) {
        const gotswap_linked *object = &list->objects[i];
        const char *soname = object->dynamic == context ? gotswap_string(object, DT_SONAME, 0) : 0;
        if (soname && !is_listed(HOST_SONAMES, soname, strlen(soname)) && !(own = strdup(soname)))
            give_up("out of memory while isolating the host's MPI; start fewer processes on this machine");
    }
}

void host_names_start(void *handle)
{
    const struct link_map *map = linked_map(handle);
    if (map)
        linked_look(note, (void *)map->l_ld);
}

int host_names_have(const char *file)
{
    return is_listed(HOST_SONAMES, file, strlen(file)) || is_listed(own, file, strlen(file));
}

int host_names_needed(const gotswap_linked *object)
{
    return linked_needs(object, HOST_SONAMES) || (*own && linked_needs(object, own));
}
