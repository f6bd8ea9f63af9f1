/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/compress.h"

#include <pthread.h>
#include <stdlib.h>

#include "convert/index.h"

intptr_t compress_regions[COMPRESS_BUCKETS] = { [0 ... COMPRESS_BUCKETS - 1] = COMPRESS_EMPTY };
#define NO_HINT 63
intptr_t compress_biases[64] = { [0 ... 63] = COMPRESS_EMPTY };
uint32_t compress_hints[COMPRESS_CLASSES] = { [0 ... COMPRESS_CLASSES - 1] = NO_HINT };

/* How often a hint was wrong since it was made. Objects of a class may be in several regions (Open
 * MPI has a request in its library's data), so a hint that stays wrong is replaced. */
#define PATIENCE 16
static uint32_t misses[COMPRESS_CLASSES];

static struct { intptr_t number, bias; } numbered[COMPRESS_REGIONS];
static int region_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Numbers below COMPRESS_FIRST that are handed out; predefined handles begin at 0x8c000000. */
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

static int32_t in_region(intptr_t pointer, intptr_t bias)
{
    return (int32_t)((pointer - bias) >> 4);
}

/* The bias of the pointer's region if it has a number or can get one, else 0. */
static intptr_t region_bias(intptr_t pointer)
{
    intptr_t number = pointer >> COMPRESS_REGION_LOG2;
    for (int i = 0; i < region_count; i++)
        if (numbered[i].number == number)
            return numbered[i].bias;
    if (region_count == COMPRESS_REGIONS)
        return 0;
    uint32_t first = COMPRESS_FIRST + ((uint32_t)region_count << 26);
    intptr_t bias = (number << COMPRESS_REGION_LOG2) - ((intptr_t)first << 4);
    numbered[region_count].number = number;
    numbered[region_count++].bias = bias;
    __atomic_store_n(&compress_biases[first >> 26], bias, __ATOMIC_RELAXED);
    /* Whoever makes a handle with the bucket's bias sees that of compress_biases (compress.h). */
    intptr_t *bucket = &compress_regions[number & (COMPRESS_BUCKETS - 1)];
    if (*bucket == COMPRESS_EMPTY)
        __atomic_store_n(bucket, bias, __ATOMIC_RELEASE);
    return bias;
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

/* The ranges of a class: the upper 6 bits of a range's handles by bits 26 to 32 of its integers, by
 * which they differ, or 0; and the other way round an integer without its lower 26 bits. */
static struct {
    uint8_t tops[128];
    intptr_t integers[COMPRESS_RANGES];
    uint32_t count;
} ranges[COMPRESS_CLASSES];
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

/* Gives a range its handles; 0 if there are none left. */
static uint8_t add_range(intptr_t pointer, int handle_class)
{
    uint8_t *top = range_top(pointer, handle_class);
    pthread_mutex_lock(&lock);
    uint32_t count = ranges[handle_class].count;
    if (*top == 0 && count < COMPRESS_RANGES) {
        ranges[handle_class].integers[count] = pointer & ~LOWER_BITS;
        __atomic_store_n(&ranges[handle_class].count, count + 1, __ATOMIC_RELEASE);
        __atomic_store_n(top, (COMPRESS_INTEGERS >> COMPRESS_RANGE_LOG2) + count, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    return *top;
}

/* The handle of an integer in disguise, or 0. */
static int32_t compress_integer(intptr_t pointer, int handle_class)
{
    uint8_t top = __atomic_load_n(range_top(pointer, handle_class), __ATOMIC_ACQUIRE);
    if (unlikely(top == 0))
        top = add_range(pointer, handle_class);
    return top ? (int32_t)((uint32_t)top << COMPRESS_RANGE_LOG2 | (uint32_t)(pointer & LOWER_BITS)) : 0;
}

static intptr_t expand_integer(uint32_t place, int handle_class)
{
    uint32_t range = place >> COMPRESS_RANGE_LOG2;
    int known = range < __atomic_load_n(&ranges[handle_class].count, __ATOMIC_ACQUIRE);
    return known ? ranges[handle_class].integers[range] | (place & LOWER_BITS) : 0;
}

/* Gives a region a number, or a pointer one of its own. 0 if memory is lacking. */
static int32_t compress_address(intptr_t pointer)
{
    if (pointer == 0)
        return 0;
    pthread_mutex_lock(&lock);
    intptr_t bias = pointer & 15 || pointer < 0 ? 0 : region_bias(pointer);
    uint32_t number = bias ? 0 : single_number(pointer);
    pthread_mutex_unlock(&lock);
    if (bias)
        return in_region(pointer, bias);
    return number == UINT32_MAX ? 0 : (int32_t)(SINGLE_FIRST + number);
}

static COLD int32_t compress_slow(intptr_t pointer, int handle_class)
{
    int32_t handle = is_integer(pointer) ? compress_integer(pointer, handle_class) : 0;
    return handle ? handle : compress_address(pointer);
}

/* Threads may count a miss less. */
static void count_miss(int handle_class, uint32_t region)
{
    uint32_t *hint = &compress_hints[handle_class];
    uint32_t count = __atomic_load_n(&misses[handle_class], __ATOMIC_RELAXED) + 1;
    if (__atomic_load_n(hint, __ATOMIC_RELAXED) == NO_HINT || count >= PATIENCE) {
        __atomic_store_n(hint, region, __ATOMIC_RELAXED);
        count = 0;
    }
    __atomic_store_n(&misses[handle_class], count, __ATOMIC_RELAXED);
}

/* A pointer that is aligned and in a region with a number needs no lock. Where another region has the
 * bucket, that is a multiple of 64 GiB away. */
int32_t compress_elsewhere(intptr_t pointer, int handle_class)
{
    const intptr_t *bucket = &compress_regions[(pointer >> COMPRESS_REGION_LOG2) & (COMPRESS_BUCKETS - 1)];
    uint64_t found = compressed_from(pointer, __atomic_load_n(bucket, __ATOMIC_ACQUIRE));
    int32_t handle = likely(!(found >> 32)) ? (int32_t)found : compress_slow(pointer, handle_class);
    if (is_compressed(handle))
        count_miss(handle_class, (uint32_t)handle >> 26);
    return handle;
}

intptr_t expand_slow(int32_t handle, int handle_class)
{
    if ((uint32_t)handle >= COMPRESS_INTEGERS)
        return expand_integer((uint32_t)handle - COMPRESS_INTEGERS, handle_class);
    uint32_t number = (uint32_t)handle - SINGLE_FIRST;
    return number < __atomic_load_n(&single_count, __ATOMIC_ACQUIRE) ? single(number)->entry.key : 0;
}
