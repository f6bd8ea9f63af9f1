/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/host_names.h"

#include <string.h>

#include "convert/facts.h"
#include "convert/say.h"
#include "isolate/natives.h"
#include "process/names.h"

/* The soname of the library that was loaded; empty if it is one of the family's. */
static const char *soname = "";

/* The places of the host's libraries that are hidden, which are never unloaded. */
enum { HIDDEN_PARTS = 16 };
static struct {
    const char *begin, *end;
} hidden_parts[HIDDEN_PARTS];
static int hidden_count;

static void note_hidden(const gotswap_linked *object)
{
    if (hidden_count == HIDDEN_PARTS || !host_names_have(linked_file(object->name)))
        return;
    hidden_parts[hidden_count].begin = object->base;
    hidden_parts[hidden_count++].end = object->end;
}

struct host_library {
    const ElfW(Dyn) *dynamic;
    const struct load_span *span;
};

/* Notes the soname of the host's library, then the places of what was loaded with it: a maker's library is known by that name. If the
 * library was there before, other objects are of its family. */
static void note_library(const gotswap_list *list, void *context)
{
    const struct host_library *library = context;
    size_t at = list->count;
    for (size_t i = 0; i < list->count; i++) {
        const gotswap_linked *object = &list->objects[i];
        at = object->dynamic == library->dynamic ? i : at;
        const char *name = object->dynamic == library->dynamic ? gotswap_string(object, DT_SONAME, 0) : 0;
        if (name && !is_listed(host_sonames, name, strlen(name)) && !(soname = strdup(name)))
            give_up_memory("while isolating the host's MPI");
    }
    size_t later = load_span_later(library->span, list);
    for (size_t i = later; i < list->count; i++)
        note_hidden(&list->objects[i]);
    for (size_t i = 0; at < later && i < later; i++)
        if (i != at && host_names_needed(&list->objects[i]))
            natives_note_object(list->objects[i].base, list->objects[i].end);
}

void host_names_start(void *handle, const struct load_span *span)
{
    const struct link_map *map = linked_map(handle);
    if (map)
        linked_look(note_library, &(struct host_library){ map->l_ld, span });
}

int host_names_have(const char *file)
{
    return is_listed(host_sonames, file, strlen(file)) || is_listed(soname, file, strlen(file));
}

int host_names_hide(const void *address)
{
    int i = 0;
    while (i < hidden_count && ((const char *)address < hidden_parts[i].begin || (const char *)address >= hidden_parts[i].end))
        i++;
    return i < hidden_count;
}

int host_names_needed(const gotswap_linked *object)
{
    return (linked_needs(object, host_sonames) || (*soname && linked_needs(object, soname))) && !needs_told_name(object);
}
