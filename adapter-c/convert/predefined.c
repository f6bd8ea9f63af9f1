/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/predefined.h"

#include <string.h>

#include "convert.h"
#include "convert/say.h"
#include "layers/layers.h"

#define DEFINE_MAP(NAME, name) struct predefined_map predefined_##name;
HANDLE_CLASSES(DEFINE_MAP)
#undef DEFINE_MAP

static struct predefined_map *const maps[] = {
#define MAP_ADDRESS(NAME, name) &predefined_##name,
    HANDLE_CLASSES(MAP_ADDRESS)
#undef MAP_ADDRESS
};

/* The null handles of a class, as their bits. */
static intptr_t host_null(int class)
{
    switch (class) {
#define NULL_BITS(NAME, name) case CLASS_##NAME: return HOST_##NAME##_BITS(HOST_NULL_##name);
        HANDLE_CLASSES(NULL_BITS)
#undef NULL_BITS
    }
    return 0;
}

static intptr_t app_null(int class)
{
    switch (class) {
#define NULL_BITS(NAME, name) case CLASS_##NAME: return APP_##NAME##_BITS(APP_NULL_##name);
        HANDLE_CLASSES(NULL_BITS)
#undef NULL_BITS
    }
    return 0;
}

/* Fills a class's map with the current multiplier; 0 if two handles met in one bucket. */
static int fill(struct predefined_map *map, int class)
{
    memset(map->bucket, 0, sizeof map->bucket);
    for (int i = 0; i < predefined_count; i++) {
        const struct predefined *entry = &predefined_handles[i];
        if (entry->handle_class != class)
            continue;
        uint8_t *bucket = &map->bucket[predefined_hash(map, entry->host)];
        if (*bucket == 0)
            *bucket = (uint8_t)i;
        else if (predefined_handles[*bucket].host != entry->host)
            return 0;
    }
    return 1;
}

/* Multipliers are tried in a fixed order: with some 80 handles in 1024 buckets one in about 20 fits. */
static void build(struct predefined_map *map, int class)
{
    map->multiplier = 0x9e3779b1u;
    while (!fill(map, class))
        map->multiplier = map->multiplier * 1664525u + 1013904223u;
}

/* The host's predefined handles by the application's, for classes whose codec has a table. */
#define DEFINE_TABLE(NAME, name, first, span) intptr_t name##_table[span];
TABLE_CLASSES(DEFINE_TABLE)
#undef DEFINE_TABLE

/* Returns the host's value for a number that is no handle. */
static intptr_t no_handle(int handle_class)
{
    return NULL_IS_TAKEN(handle_class) ? 0 : host_null(handle_class);
}

intptr_t predefined_number(int handle_class, int32_t app)
{
    for (int i = 1; i < predefined_count; i++)
        if (predefined_handles[i].handle_class == handle_class && predefined_handles[i].app == app)
            return predefined_handles[i].host;
    return no_handle(handle_class);
}

/* How either side represents a class. */
static const uint8_t app_representation[] = {
#define APP_REPRESENTED(NAME, name) JOIN(REPRESENTED_, APP_##NAME##_REPRESENTATION),
    HANDLE_CLASSES(APP_REPRESENTED)
#undef APP_REPRESENTED
};
static const uint8_t host_representation[] = {
#define HOST_REPRESENTED(NAME, name) JOIN(REPRESENTED_, HOST_##NAME##_REPRESENTATION),
    HANDLE_CLASSES(HOST_REPRESENTED)
#undef HOST_REPRESENTED
};

/* The host's handle of an entry, or what is instead of it where this host does not have it. */
static intptr_t host_handle(const struct predefined *entry, int standard)
{
    if (host_representation[entry->handle_class] == REPRESENTED_OBJECT)
        return *(const intptr_t *)((const char *)&host_address + entry->host);
    return entry->since > standard ? entry->instead : entry->host;
}

/* Decodes a handle of the application's. An integer is the lower half alone. */
static intptr_t word_of(const struct predefined *entry, int standard)
{
    intptr_t handle = host_handle(entry, standard);
    return host_representation[entry->handle_class] == REPRESENTED_INT ? (intptr_t)(uint32_t)handle : handle;
}

#define PUT_INTO_TABLE(NAME, name, first, span)                                                    \
    if (entry->handle_class == CLASS_##NAME && (uint32_t)entry->app - first##u < span)             \
        name##_table[(uint32_t)entry->app - first##u] = handle;

/* Gives the application's side of an entry what decodes it. */
static void publish(const struct predefined *entry, intptr_t handle)
{
    struct app_object *object = (struct app_object *)entry->app;
    if (app_representation[entry->handle_class] == REPRESENTED_OBJECT) {
        if (object->word != handle)
            object->word = handle;
        return;
    }
    TABLE_CLASSES(PUT_INTO_TABLE)
}

/* Fill the entries without a predefined handle, so that the host reports an invalid handle: 0 if handles are numbers, else as above. */
#define CLEAR_TABLE(NAME, name, first, span)                                                       \
    for (size_t i = 0; i < span; i++)                                                              \
        name##_table[i] = host_representation[CLASS_##NAME] == REPRESENTED_INT ? 0 : no_handle(CLASS_##NAME);

/* The host's version of MPI. */
static int host_standard;

int predefined_lacking(int handle_class, intptr_t app)
{
    int lacking = handle_class == CLASS_DATATYPE && predefined_optional_name(app);
    for (int i = 1; i < predefined_count; i++) {
        const struct predefined *entry = &predefined_handles[i];
        if (entry->handle_class == handle_class && entry->app == app)
            lacking = app != app_null(handle_class) &&
                      (entry->since > host_standard || entry->host == host_null(handle_class));
    }
    return lacking;
}

const char *predefined_lacking_name(intptr_t app)
{
    const char *name = predefined_optional_name(app);
    return name && predefined_lacking(CLASS_DATATYPE, app) ? name : 0;
}

static int has_stand_in(const struct predefined *entry)
{
    return entry->handle_class == CLASS_DATATYPE && host_representation[CLASS_DATATYPE] == REPRESENTED_INT &&
           entry->since > host_standard && entry->instead != host_null(CLASS_DATATYPE);
}

const struct predefined *predefined_stand_in(intptr_t app)
{
    for (int i = 1; i < predefined_count; i++)
        if (predefined_handles[i].app == app && has_stand_in(&predefined_handles[i]))
            return &predefined_handles[i];
    return 0;
}

void predefined_each_stand_in(void (*call)(const struct predefined *))
{
    for (int i = 1; i < predefined_count; i++)
        if (has_stand_in(&predefined_handles[i]))
            call(&predefined_handles[i]);
}

void predefined_set_duplicate(const struct predefined *entry, int32_t duplicate)
{
    publish(entry, (intptr_t)((uint64_t)(uint32_t)duplicate << 32 | (uint32_t)entry->instead));
}

/* Among the handles that are compressed, if any, those that hot paths see most: the null request, which
 * every completion leaves behind, with what the host has beside it, and MPI_COMM_SELF. */
static void prepare_compressed(void)
{
    if (host_representation[CLASS_REQUEST] == REPRESENTED_INT)
        return;
    compress_prepare();
    if (app_representation[CLASS_REQUEST] != REPRESENTED_INT)
        return;
    if (compress_predefined(host_null(CLASS_REQUEST), (int32_t)app_null(CLASS_REQUEST)) != 0)
        give_up_memory("while loading the library");
    expand_predefined(HOST_COMM_BITS(HOST_MPI_COMM_SELF), (int32_t)APP_COMM_BITS(APP_MPI_COMM_SELF));
}

void predefined_prepare(int standard)
{
    host_standard = standard;
    TABLE_CLASSES(CLEAR_TABLE)
    for (int i = 1; i < predefined_count; i++) {
        struct predefined *entry = &predefined_handles[i];
        if (has_stand_in(entry))
            predefined_set_duplicate(entry, NO_DUPLICATE);
        else
            publish(entry, word_of(entry, standard));
        if (host_representation[entry->handle_class] == REPRESENTED_OBJECT)
            entry->host = host_handle(entry, standard);
    }
    for (int class = 0; class < CLASS_COUNT; class++)
        build(maps[class], class);
    prepare_compressed();
}

static int is_usable(const struct predefined *entry)
{
    int size = 0;
    return entry->host == host_null(CLASS_DATATYPE) ||
           (host_itself->MPI_Type_size(HOST_DATATYPE_FROM(entry->host), &size) == 0 && size > 0);
}

void predefined_confirm(void)
{
    for (int i = 1; i < predefined_count; i++) {
        struct predefined *entry = &predefined_handles[i];
        if (entry->handle_class == CLASS_DATATYPE && entry->since > host_standard &&
            host_representation[CLASS_DATATYPE] == REPRESENTED_OBJECT && !is_usable(entry))
            publish(entry, host_null(CLASS_DATATYPE));
    }
}
