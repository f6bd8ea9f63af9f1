/* SPDX-License-Identifier: BSD-3-Clause */
/* The pair's predefined handles as data, and the way back from the host's handle to the
 * application's: a perfect hash for each class, built once when the library is loaded. */
#ifndef PREDEFINED_H
#define PREDEFINED_H

#include "convert/handle_classes.h"
#include "convert/types.h"

/* One predefined handle. Several of the application's may stand for one of the host's; the way
 * back leads to the first. Where the host's handles are addresses, `host` is their place in
 * host_address until predefined_prepare() has replaced it. `since` is the first version of MPI, 100 * major + minor, whose hosts
 * have it; `instead` is what an older one has in its place, if its handles are integers. `fortran` is its value in mpif.h,
 * or -1. */
struct predefined {
    uint8_t handle_class;
    uint16_t since;
    int32_t fortran;
    intptr_t app;
    intptr_t host;
    intptr_t instead;
};

extern HIDDEN struct predefined predefined_handles[];
extern HIDDEN const int predefined_count;

#define PREDEFINED_BUCKETS_LOG2 10

/* From the host's handle to an entry of predefined_handles. Empty buckets lead to entry 0, which
 * stands for no handle. A wrapper that returns a handle looks here: no chain is followed, and the table
 * of bytes takes a few lines of the cache, which convert/index.h cannot offer. */
struct predefined_map {
    uint32_t multiplier;
    uint8_t bucket[1 << PREDEFINED_BUCKETS_LOG2];
};

#define DECLARE_MAP(NAME, name) extern HIDDEN struct predefined_map predefined_##name;
HANDLE_CLASSES(DECLARE_MAP)
#undef DECLARE_MAP

/* Returns the bucket of a host's handle. */
INLINE uint32_t predefined_hash(const struct predefined_map *map, intptr_t bits)
{
    return (uint32_t)bits * map->multiplier >> (32 - PREDEFINED_BUCKETS_LOG2);
}

/* Returns the entry of a host's handle, or null if the handle is not predefined. */
INLINE const struct predefined *predefined_find(const struct predefined_map *map, intptr_t bits)
{
    const struct predefined *found = &predefined_handles[map->bucket[predefined_hash(map, bits)]];
    return found->host == bits ? found : 0;
}

/* If an ABI's handles are pointers, its predefined handles are distinct numbers below this one. */
#define PREDEFINED_CODES 0x400

/* Hosts take the null handle of these classes in most places, and would succeed: a number that is no handle becomes 0
 * there, which no host has for a handle. */
#define NULL_IS_TAKEN(handle_class) ((handle_class) == CLASS_REQUEST || (handle_class) == CLASS_INFO)

/* Returns the host's handle for a predefined one of the application's. For a number that is no handle, returns 0 if
 * NULL_IS_TAKEN, else the host's null handle, which the host reports as invalid. */
COLD intptr_t predefined_number(int handle_class, int32_t app);

/* Returns the entry of a predefined datatype of the application's if another one of the host's stands in for it, else null. For
 * hosts whose handles are integers. */
COLD const struct predefined *predefined_stand_in(intptr_t app);
/* Calls a function for each such entry. */
COLD void predefined_each_stand_in(void (*call)(const struct predefined *));

/* Stores the duplicate that tells a stand-in datatype apart (convert/distinct_datatype.h) in the upper half of the handle's
 * word; until then NO_DUPLICATE is there. The lower half is the host's integer, and the upper half of other predefined
 * handles is 0. For hosts whose handles are integers. */
#define NO_DUPLICATE 1
COLD void predefined_set_duplicate(const struct predefined *entry, int32_t duplicate);

/* Returns the name of a predefined datatype if this host lacks it, whether another one stands in for it or not. Else null. */
COLD const char *predefined_lacking_name(intptr_t app);
/* Does the same if some release of the host lacks it. */
HIDDEN const char *predefined_optional_name(intptr_t app);

/* Returns whether a handle is a predefined one of the application's that this host does not have. */
COLD int predefined_lacking(int handle_class, intptr_t app);

/* Lets handles of datatypes decode to the null handle if the host has an object for them that it cannot use. To be called
 * when MPI has been initialized. */
COLD void predefined_confirm(void);

/* Builds the maps. Lets predefined handles that the host lacks decode to their `instead`. `standard` is the host's version
 * of MPI, 100 * major + minor. */
void predefined_prepare(int standard);

#endif
