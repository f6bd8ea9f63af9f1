/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/compress.h"

#include <stdlib.h>

#include "convert/index.h"
#include "layers/lock.h"

/* An origin from which every handle and every pointer are too far. */
#define FAR_AWAY (-((intptr_t)1 << 40))
intptr_t compress_origins[COMPRESS_PLACES];
intptr_t expand_origins[2][COMPRESS_PLACES];
/* As compress_origins, of objects at odd multiples of 8. */
static intptr_t compress_odd_origins[COMPRESS_PLACES];

/* Regions of objects at even multiples of 8, and at odd ones. */
static struct {
    intptr_t *by_pointer;
    uint32_t first;
    int limit, count;
} kinds[2] = { { compress_origins, COMPRESS_FIRST, COMPRESS_REGIONS, 0 },
               { compress_odd_origins, COMPRESS_ODD_FIRST, COMPRESS_ODD_REGIONS, 0 } };

/* The regions of compress_predefined() come in addition to those with numbers. */
#define COMPRESS_PREDEFINED 4
struct region {
    struct index_entry entry; /* by where its first object would be */
    intptr_t origin;
};
static struct region regions[COMPRESS_REGIONS + COMPRESS_ODD_REGIONS + COMPRESS_PREDEFINED];
static struct index regions_by_start;
static int region_count, predefined_count;
LOCK(regions);

/* Numbers below COMPRESS_INTEGERS that are handed out; predefined handles begin at 0x8c000000. */
#define SINGLE_FIRST 0x80000000u
#define SINGLE_LIMIT 0x0c000000u
#define BLOCK_LOG2 14
#define BLOCKS (SINGLE_LIMIT >> BLOCK_LOG2)

/* Pointers by number, in blocks that stay where they are, and numbers by pointer. */
struct single {
    struct index_entry entry;
    uint32_t number;
};
static struct single *blocks[BLOCKS];
static uint32_t single_count;
static struct index singles;

#define REGION_UNITS (1u << (COMPRESS_REGION_LOG2 - 4))

static uint32_t place_of(uint32_t handle)
{
    return handle >> 16;
}

/* Lets the handles from first to last, and those in the same places, find an origin. */
static void put_origin(uint32_t first, uint32_t last, intptr_t origin)
{
    for (uint32_t place = place_of(first); place <= place_of(last); place++) {
        __atomic_store_n(&expand_origins[0][place], origin, __ATOMIC_RELAXED);
        __atomic_store_n(&expand_origins[1][place], origin, __ATOMIC_RELAXED);
    }
}

static int has_origin(uint32_t first, uint32_t last)
{
    for (uint32_t place = place_of(first); place <= place_of(last); place++)
        if (expand_origins[1][place] != 0)
            return 1;
    return 0;
}

/* Returns where the first object of the pointer's region would begin, with the pointer's alignment. */
static intptr_t start_of(intptr_t pointer)
{
    return (pointer & -((intptr_t)1 << COMPRESS_REGION_LOG2)) | (pointer & 15);
}

static int kind_of(intptr_t start)
{
    return start >> 3 & 1;
}

/* Adds a region, whose last unit has the first handle and whose first one has the last, and returns its origin, or 0 if
 * memory runs out. Another one that has its place by pointers already keeps it: that is a multiple of 1 TiB away. */
static intptr_t add_region(intptr_t start, uint32_t first)
{
    uint32_t last = first + REGION_UNITS - 1;
    intptr_t origin = start + ((intptr_t)last << 4);
    intptr_t *by_pointer = &kinds[kind_of(start)].by_pointer[(uint16_t)(start >> COMPRESS_REGION_LOG2)];
    struct region *added = &regions[region_count];
    *added = (struct region){ { 0, start }, origin };
    if (index_add(&regions_by_start, &added->entry) != 0)
        return 0;
    region_count++;
    put_origin(first, last, origin);
    if (*by_pointer == 0 || *by_pointer == FAR_AWAY)
        __atomic_store_n(by_pointer, origin, __ATOMIC_RELEASE);
    return origin;
}

/* The origin of a region, or 0. */
static intptr_t known_origin(intptr_t start)
{
    const struct region *found = (const struct region *)*index_find(&regions_by_start, start);
    return found ? found->origin : 0;
}

/* The origin of the region of a pointer, a multiple of 8, if it has one or can get one, else 0. */
static intptr_t region_origin(intptr_t pointer)
{
    intptr_t start = start_of(pointer), origin = known_origin(start);
    int kind = kind_of(start), number = kinds[kind].count;
    if (origin == 0 && number < kinds[kind].limit) {
        origin = add_region(start, kinds[kind].first + (uint32_t)number * REGION_UNITS);
        kinds[kind].count += origin != 0;
    }
    return origin;
}

void compress_prepare(void)
{
    put_origin(0, 0, FAR_AWAY);
    for (intptr_t integer = -((intptr_t)1 << 32); integer < 0; integer += 1 << COMPRESS_REGION_LOG2)
        compress_origins[(uint16_t)(integer >> COMPRESS_REGION_LOG2)] = FAR_AWAY;
}

void expand_predefined(intptr_t pointer, int32_t handle)
{
    if (pointer % 16 == 0 && !has_origin((uint32_t)handle, (uint32_t)handle))
        expand_origins[1][place_of((uint32_t)handle)] = pointer + ((intptr_t)(uint32_t)handle << 4);
}

int compress_predefined(intptr_t pointer, int32_t handle)
{
    intptr_t start = start_of(pointer);
    uint32_t unit = (uint32_t)(pointer >> 4) % REGION_UNITS, first = (uint32_t)handle - (REGION_UNITS - 1 - unit);
    if (pointer % 16 != 0 || predefined_count == COMPRESS_PREDEFINED || known_origin(start) != 0 ||
        has_origin(first, first + REGION_UNITS - 1))
        return 0;
    if (add_region(start, first) == 0)
        return -1;
    predefined_count++;
    return 0;
}

static struct single *single(uint32_t number)
{
    return &blocks[number >> BLOCK_LOG2][number & ((1u << BLOCK_LOG2) - 1)];
}

/* The next number, for a pointer; UINT32_MAX if memory or numbers are used up. */
static uint32_t add_single(intptr_t pointer)
{
    struct single **block = &blocks[single_count >> BLOCK_LOG2];
    if (single_count == SINGLE_LIMIT || (!*block && !(*block = calloc(1u << BLOCK_LOG2, sizeof **block))))
        return UINT32_MAX;
    struct single *added = single(single_count);
    *added = (struct single){ { 0, pointer }, single_count };
    if (index_add(&singles, &added->entry) != 0)
        return UINT32_MAX;
    __atomic_store_n(&single_count, single_count + 1, __ATOMIC_RELEASE);
    return added->number;
}

/* The number of a pointer that does not fit. */
static uint32_t single_number(intptr_t pointer)
{
    const struct single *found = (const struct single *)*index_find(&singles, pointer);
    return found ? found->number : add_single(pointer);
}

#define CLASSES 16 /* MPI's handle classes are fewer */

/* The ranges of a class: the upper 6 bits of a range's handles by bits 26 to 32 of its integers, by
 * which they differ, or 0; and the other way round an integer without its lower 26 bits. */
static struct {
    uint8_t tops[128];
    intptr_t integers[COMPRESS_RANGES];
    uint32_t count;
} ranges[CLASSES];
#define LOWER_BITS (((intptr_t)1 << COMPRESS_RANGE_LOG2) - 1)

static int is_integer(intptr_t pointer)
{
    intptr_t upper = pointer >> 32;
    return upper == -1 || (upper == 0 && pointer & 15);
}

static uint8_t *range_top(intptr_t pointer, int handle_class)
{
    return &ranges[handle_class].tops[pointer >> COMPRESS_RANGE_LOG2 & 127];
}

/* Gives a range its handles; 0 if there are none left. The count comes last, so who reads that it is full finds every range. */
static COLD uint8_t add_range(intptr_t pointer, int handle_class)
{
    uint8_t *top = range_top(pointer, handle_class);
    take_lock(regions);
    uint32_t count = ranges[handle_class].count;
    if (*top == 0 && count < COMPRESS_RANGES) {
        ranges[handle_class].integers[count] = pointer & ~LOWER_BITS;
        __atomic_store_n(top, (COMPRESS_INTEGERS >> COMPRESS_RANGE_LOG2) + count, __ATOMIC_RELEASE);
        __atomic_store_n(&ranges[handle_class].count, count + 1, __ATOMIC_RELEASE);
    }
    release_lock(regions);
    return *top;
}

static uint8_t known_top(intptr_t pointer, int handle_class)
{
    return __atomic_load_n(range_top(pointer, handle_class), __ATOMIC_ACQUIRE);
}

/* The handle of an integer in disguise, or 0 if its class has no range left. */
static int32_t compress_integer(intptr_t pointer, int handle_class)
{
    uint8_t top = known_top(pointer, handle_class);
    if (unlikely(top == 0)) {
        int has_ranges_left = __atomic_load_n(&ranges[handle_class].count, __ATOMIC_ACQUIRE) < COMPRESS_RANGES;
        top = has_ranges_left ? add_range(pointer, handle_class) : known_top(pointer, handle_class);
    }
    return top ? (int32_t)((uint32_t)top << COMPRESS_RANGE_LOG2 | (uint32_t)(pointer & LOWER_BITS)) : 0;
}

/* Another thread may have handed out handles of a range that is not counted yet. */
static COLD int is_range_added(uint32_t range, int handle_class)
{
    take_lock(regions);
    int is_added = range < ranges[handle_class].count;
    release_lock(regions);
    return is_added;
}

static intptr_t expand_integer(uint32_t place, int handle_class)
{
    uint32_t range = place >> COMPRESS_RANGE_LOG2;
    int is_known = range < __atomic_load_n(&ranges[handle_class].count, __ATOMIC_ACQUIRE) || is_range_added(range, handle_class);
    return is_known ? ranges[handle_class].integers[range] | (place & LOWER_BITS) : 0;
}

/* Gives the pointer's region an origin, or the pointer its own number. Returns 0 if memory runs out. */
static COLD int32_t compress_address(intptr_t pointer)
{
    if (pointer == 0)
        return 0;
    take_lock(regions);
    intptr_t origin = pointer & 7 || pointer < 0 ? 0 : region_origin(pointer);
    uint32_t number = origin ? 0 : single_number(pointer);
    release_lock(regions);
    if (origin)
        return (int32_t)((origin - pointer) >> 4);
    return number == UINT32_MAX ? 0 : (int32_t)(SINGLE_FIRST + number);
}

int32_t compress_elsewhere(intptr_t pointer, int handle_class)
{
    int32_t disguise = is_integer(pointer) ? compress_integer(pointer, handle_class) : 0;
    if (disguise)
        return disguise;
    /* From an origin that is not there, what is no multiple of 16 is too far. */
    uint64_t handle = pointer & 15 ? compressed_by(compress_odd_origins, &pointer) : UINT64_MAX;
    return is_compressed(handle) ? (int32_t)handle : compress_address(pointer);
}

/* The pointer of a handle whose origin this thread did not see. */
static intptr_t expand_locked(int32_t handle)
{
    take_lock(regions);
    intptr_t pointer = expand_handle(handle, 0);
    release_lock(regions);
    return is_pointer(pointer) ? pointer : 0;
}

intptr_t expand_slow(int32_t handle, int handle_class)
{
    if ((uint32_t)handle >= COMPRESS_ODD_FIRST)
        return expand_locked(handle);
    if ((uint32_t)handle >= COMPRESS_INTEGERS)
        return expand_integer((uint32_t)handle - COMPRESS_INTEGERS, handle_class);
    uint32_t number = (uint32_t)handle - SINGLE_FIRST;
    return number < __atomic_load_n(&single_count, __ATOMIC_ACQUIRE) ? single(number)->entry.key : 0;
}
