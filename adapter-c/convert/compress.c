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
    intptr_t *bucket = &compress_regions[number & (COMPRESS_BUCKETS - 1)];
    if (*bucket == COMPRESS_EMPTY)
        __atomic_store_n(bucket, bias, __ATOMIC_RELAXED);
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

int32_t compress_slow(intptr_t pointer)
{
    if (pointer == 0)
        return 0;
    pthread_mutex_lock(&lock);
    intptr_t bias = pointer & 15 ? 0 : region_bias(pointer);
    uint32_t number = bias ? 0 : single_number(pointer);
    pthread_mutex_unlock(&lock);
    if (bias)
        return in_region(pointer, bias);
    return number == UINT32_MAX ? 0 : (int32_t)(SINGLE_FIRST + number);
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
    uint64_t found = compressed_from(pointer, __atomic_load_n(bucket, __ATOMIC_RELAXED));
    int32_t handle = likely(!(found >> 32)) ? (int32_t)found : compress_slow(pointer);
    if (is_compressed(handle))
        count_miss(handle_class, (uint32_t)handle >> 26);
    return handle;
}

intptr_t expand_slow(int32_t handle)
{
    uint32_t number = (uint32_t)handle - SINGLE_FIRST;
    return number < __atomic_load_n(&single_count, __ATOMIC_ACQUIRE) ? single(number)->entry.key : 0;
}
