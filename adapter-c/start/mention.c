/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/mention.h"

#include <ctype.h>
#include <string.h>

#include "isolate/adapter_parts.h"
#include "process/environment.h"
#include "process/linked.h"

struct search {
    const char *text;
    int found;
};

/* Whatever the case of its first letter, or of all. */
static int mentions(const gotswap_linked *object, const char *text)
{
    char other[32] = "";
    size_t length = strlen(text);
    if (linked_mentions(object, text))
        return 1;
    memcpy(other, text, length < sizeof other ? length : sizeof other - 1);
    other[0] = (char)toupper(other[0]);
    if (linked_mentions(object, other))
        return 1;
    for (size_t i = 0; other[i]; i++)
        other[i] = (char)toupper(other[i]);
    return linked_mentions(object, other);
}

static void search_objects(const gotswap_list *list, void *context)
{
    struct search *search = context;
    /* An adapter whose host this is has all names, whatever the program calls. It is asked last, as that takes longest. */
    for (size_t i = 0; i < list->count && !search->found; i++)
        search->found = !is_adapter(list->objects[i].base) && mentions(&list->objects[i], search->text) &&
                        !linked_mentions(&list->objects[i], "mpi_adapter_shared");
}

int program_mentions(const char *setting, const char *text)
{
    struct search wanted = { text, environment_wanted(setting) != 0 };
    linked_look(search_objects, &wanted);
    return wanted.found;
}
