/* SPDX-License-Identifier: BSD-3-Clause */
/* The maps of predefined handles: from the host's handle back to the application's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/adapter.h"

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s (entry %d)\n", __FILE__, __LINE__, #condition, at); \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static struct predefined_map *const maps[] = {
#define MAP_ADDRESS(NAME, name) &predefined_##name,
    HANDLE_CLASSES(MAP_ADDRESS)
#undef MAP_ADDRESS
};

/* The first entry of the class with the host's handle of this entry. */
static int first_like(int at)
{
    for (int i = 1; i < at; i++)
        if (predefined_handles[i].handle_class == predefined_handles[at].handle_class &&
            predefined_handles[i].host == predefined_handles[at].host)
            return i;
    return at;
}

/* Each handle is found in its class's map, as the first of those that share it. */
static void found(void)
{
    for (int at = 1; at < predefined_count; at++) {
        const struct predefined *entry = &predefined_handles[at];
        CHECK(predefined_find(maps[entry->handle_class], entry->host) == &predefined_handles[first_like(at)]);
    }
}

/* A handle that is not predefined is not found. */
static void not_found(void)
{
    int at = 0;
    unsigned state = 1;
    for (int i = 0; i < 1000000; i++) {
        state = state * 1664525u + 1013904223u;
        for (int class = 0; class < CLASS_COUNT; class++) {
            const struct predefined *entry = predefined_find(maps[class], (int32_t)state);
            CHECK(!entry || (entry->host == (int32_t)state && entry->handle_class == class));
        }
    }
}

int main(void)
{
    int at = predefined_count;
    CHECK(predefined_count > 100);
    for (int version = 300; version <= 500; version += 100) {
        predefined_prepare(version);
        found();
    }
    not_found();
    puts("right");
    return 0;
}
