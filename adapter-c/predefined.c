/* SPDX-License-Identifier: BSD-3-Clause */
#include "predefined.h"

#include <string.h>

#define DEFINE_MAP(NAME, name) struct predefined_map predefined_##name;
HANDLE_CLASSES(DEFINE_MAP)
#undef DEFINE_MAP

static struct predefined_map *const maps[] = {
#define MAP_ADDRESS(NAME, name) &predefined_##name,
    HANDLE_CLASSES(MAP_ADDRESS)
#undef MAP_ADDRESS
};

/* The host's null handle of a class, as its bits. */
static intptr_t host_null(int class)
{
    switch (class) {
#define NULL_BITS(NAME, name) case CLASS_##NAME: return HOST_##NAME##_BITS(HOST_NULL_##name);
        HANDLE_CLASSES(NULL_BITS)
#undef NULL_BITS
    }
    return 0;
}

static uint32_t hash_of(const struct predefined_map *map, intptr_t bits)
{
    return (uint32_t)bits * map->multiplier >> (32 - PREDEFINED_SLOTS_LOG2);
}

/* Fills a class's map with the current multiplier; 0 if two handles met in one slot. */
static int fill(struct predefined_map *map, int class)
{
    memset(map->slot, 0, sizeof map->slot);
    for (int i = 0; i < predefined_count; i++) {
        const struct predefined *entry = &predefined_handles[i];
        if (entry->handle_class != class)
            continue;
        uint8_t *slot = &map->slot[hash_of(map, entry->host)];
        if (*slot == 0)
            *slot = (uint8_t)i;
        else if (predefined_handles[*slot].host != entry->host)
            return 0;
    }
    return 1;
}

/* Multipliers are tried in a fixed order: with some 80 handles in 1024 slots one in about 20 fits. */
static void build(struct predefined_map *map, int class)
{
    map->multiplier = 0x9e3779b1u;
    while (!fill(map, class))
        map->multiplier = map->multiplier * 1664525u + 1013904223u;
}

/* What the application's object of an entry must hold. */
static intptr_t word_of(const struct predefined *entry, int standard)
{
    return entry->since > standard ? host_null(entry->handle_class) : entry->host;
}

void predefined_prepare(int standard)
{
    for (int class = 0; class < CLASS_COUNT; class++)
        build(maps[class], class);
    for (int i = 1; i < predefined_count; i++) {
        const struct predefined *entry = &predefined_handles[i];
        struct app_object *object = (struct app_object *)entry->app;
        if (object->word != word_of(entry, standard))
            object->word = word_of(entry, standard);
    }
}
