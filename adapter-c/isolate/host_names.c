/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/host_names.h"

#include <string.h>

#include "convert/facts.h"
#include "convert/say.h"
#include "process/names.h"

/* The soname of the library that was loaded; empty if it is one of the family's. */
static const char *soname = "";

/* Notes the soname of the object with this dynamic section. */
static void note_soname(const gotswap_list *list, void *context)
{
    for (size_t i = 0; i < list->count; i++) {
        const gotswap_linked *object = &list->objects[i];
        const char *name = object->dynamic == context ? gotswap_string(object, DT_SONAME, 0) : 0;
        if (name && !is_listed(host_sonames, name, strlen(name)) && !(soname = strdup(name)))
            give_up("out of memory while isolating the host's MPI; start fewer processes on this machine");
    }
}

void host_names_start(void *handle)
{
    const struct link_map *map = linked_map(handle);
    if (map)
        linked_look(note_soname, (void *)map->l_ld);
}

int host_names_have(const char *file)
{
    return is_listed(host_sonames, file, strlen(file)) || is_listed(soname, file, strlen(file));
}

int host_names_needed(const gotswap_linked *object)
{
    return (linked_needs(object, host_sonames) || (*soname && linked_needs(object, soname))) && !needs_told_name(object);
}
