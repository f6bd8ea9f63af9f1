/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/kept_slots.h"

#include <stdlib.h>
#include <string.h>

#include "convert/index.h"

/* The values are kept as a checksum, because a start has thousands of slots: few pages of memory hold the offsets alone. */
struct kept_slots {
    struct index_entry entry; /* the key is the object's dynamic section */
    const char *base;
    uint32_t *offsets; /* from the base, of each slot */
    size_t count, room;
    uint64_t sum;
};

static struct index kept_objects;

static struct kept_slots *find_kept(const gotswap_linked *object)
{
    return (struct kept_slots *)*index_find(&kept_objects, (intptr_t)object->dynamic);
}

struct kept_slots *kept_slots_renew(const gotswap_linked *object)
{
    struct kept_slots *kept = find_kept(object);
    if (!kept)
        kept = index_new(&kept_objects, (intptr_t)object->dynamic, sizeof *kept);
    if (!kept)
        return 0;
    kept->base = object->base;
    kept->count = 0;
    kept->sum = 0;
    return kept;
}

static uint64_t add_to_sum(uint64_t sum, uint64_t value)
{
    return sum * 31 + value;
}

static int make_room(struct kept_slots *kept)
{
    size_t room = kept->room ? 2 * kept->room : 64;
    if (kept->count < kept->room)
        return 1;
    uint32_t *larger = realloc(kept->offsets, room * sizeof *larger);
    if (!larger)
        return 0;
    kept->offsets = larger;
    kept->room = room;
    return 1;
}

int kept_slots_add(struct kept_slots *kept, const gotswap_slot *slot)
{
    if (!make_room(kept))
        return 0;
    kept->offsets[kept->count++] = (uint32_t)((const char *)slot->slot - kept->base);
    kept->sum = add_to_sum(kept->sum, (uint64_t)slot->value);
    return 1;
}

int kept_slots_changed(const gotswap_linked *object)
{
    const struct kept_slots *kept = find_kept(object);
    uint64_t sum = 0, value;
    for (size_t i = 0; kept && i < kept->count; i++) {
        memcpy(&value, kept->base + kept->offsets[i], sizeof value);
        sum = add_to_sum(sum, value);
    }
    return kept && sum != kept->sum;
}
