/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/fortran_sentinels.h"

#include <string.h>

#include "convert/facts.h"
#include "convert/say.h"
#include "process/linked.h"
#include "process/names.h"

/* Tables that only grow. An entry is complete before it is counted, so that readers need no lock. */
enum { SENTINELS = 32, LIBRARIES = 64 };
static struct sentinel sentinels[SENTINELS];
static struct library {
    const struct sentinel *table;
    void (*loaded)(void);
} libraries[LIBRARIES];
static const void *left[LIBRARIES];
static int sentinel_count, library_count, left_count;

static int read_count(const int *of)
{
    return __atomic_load_n(of, __ATOMIC_ACQUIRE);
}

static void raise_count(int *of)
{
    __atomic_fetch_add(of, 1, __ATOMIC_RELEASE);
}

static void need_room(int used, int room)
{
    if (used == room)
        give_up("more than %d Fortran libraries or constants are in use; open fewer plugins that were linked with "
                "-Bsymbolic",
                room);
}

void sentinels_add(const struct sentinel *table, void (*loaded)(void))
{
    need_room(library_count, LIBRARIES);
    libraries[library_count] = (struct library){ table, loaded };
    raise_count(&library_count);
    for (; table->symbol; table++) {
        if (sentinels_find(table->symbol))
            continue;
        need_room(sentinel_count, SENTINELS);
        sentinels[sentinel_count] = *table;
        raise_count(&sentinel_count);
    }
}

void sentinels_tell(void)
{
    for (int i = 0, end = read_count(&library_count); i < end; i++)
        libraries[i].loaded();
}

int sentinels_exist(void)
{
    return read_count(&sentinel_count) > 0;
}

static int is_beside(const gotswap_linked *object, const gotswap_linked *other)
{
    size_t length = (size_t)(linked_file(object->name) - object->name);
    return length == (size_t)(linked_file(other->name) - other->name) && strncmp(object->name, other->name, length) == 0;
}

static int needs(const gotswap_linked *object, const gotswap_linked *library)
{
    const char *needed;
    for (size_t i = 0; (needed = gotswap_string(object, DT_NEEDED, i)); i++)
        if (linked_is_named(library, needed))
            return 1;
    return 0;
}

static void look_for_users(const gotswap_list *list, void *are_there)
{
    for (size_t i = 0; i < list->count; i++) {
        const gotswap_linked *library = &list->objects[i];
        for (size_t j = 0; sentinels_are_of(library->base, library->end) && j < list->count; j++)
            if (needs(&list->objects[j], library) && !is_beside(&list->objects[j], library))
                *(int *)are_there = 1;
    }
}

int sentinels_have_users(void)
{
    static unsigned long long looked_at; /* the count of loads when nobody was found */
    static int are_there;
    if (!sentinels_exist() || __atomic_load_n(&are_there, __ATOMIC_RELAXED))
        return sentinels_exist();
    unsigned long long loads = linked_loads();
    if (__atomic_load_n(&looked_at, __ATOMIC_RELAXED) == loads)
        return 0;
    int found = 0;
    linked_look(look_for_users, &found);
    __atomic_store_n(&are_there, found, __ATOMIC_RELAXED);
    __atomic_store_n(&looked_at, loads, __ATOMIC_RELAXED);
    return found;
}

int sentinels_are_of(const void *begin, const void *end)
{
    for (int i = 0, all = read_count(&library_count); i < all; i++)
        if ((const void *)libraries[i].table >= begin && (const void *)libraries[i].table < end)
            return 1;
    return 0;
}

void *sentinels_find(const char *symbol)
{
    for (int i = 0, end = read_count(&sentinel_count); i < end; i++)
        if (sentinels[i].symbol[0] == symbol[0] && strcmp(sentinels[i].symbol, symbol) == 0)
            return (void *)sentinels[i].address;
    return 0;
}

int sentinels_concern(const gotswap_linked *object)
{
    if (!sentinels_exist() || sentinels_are_left(object->base))
        return 0;
    for (int i = 0, end = read_count(&sentinel_count); i < end; i++)
        if (gotswap_defined(object, sentinels[i].symbol, 0))
            return 1;
    return needs_application(object);
}

int sentinels_are_apart(const gotswap_linked *object)
{
    for (int i = 0, end = read_count(&sentinel_count); i < end; i++) {
        int is_fixed = 0;
        const void *defined = gotswap_defined(object, sentinels[i].symbol, &is_fixed);
        if (defined && is_fixed && defined != sentinels[i].address)
            return 1;
    }
    return 0;
}

void sentinels_leave(const void *base)
{
    need_room(left_count, LIBRARIES);
    left[left_count] = base;
    raise_count(&left_count);
}

int sentinels_are_left(const void *base)
{
    for (int i = 0, end = read_count(&left_count); i < end; i++)
        if (left[i] == base)
            return 1;
    return 0;
}
