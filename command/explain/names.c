// SPDX-License-Identifier: BSD-3-Clause
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "../elf/allocate.h"

void names_add(struct names *names, const char *name)
{
    names->items = grown(names->items, names->count, sizeof *names->items);
    names->items[names->count++] = copy(name);
}

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void names_sort(struct names *names)
{
    if (names->count)
        qsort(names->items, names->count, sizeof *names->items, compare);
}

bool names_have(const struct names *names, const char *name)
{
    return names->count && bsearch(&name, names->items, names->count, sizeof *names->items, compare);
}

void names_free(struct names *names)
{
    while (names->count)
        free(names->items[--names->count]);
    free(names->items);
    names->items = NULL;
}
