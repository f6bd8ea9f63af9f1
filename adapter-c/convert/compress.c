/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/compress.h"

#include <pthread.h>
#include <stdlib.h>

intptr_t compress_regions[COMPRESS_SLOTS] = { [0 ... COMPRESS_SLOTS - 1] = COMPRESS_EMPTY };
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

/* Pointers by number, in blocks that stay where they are. */
static intptr_t *blocks[BLOCKS];
static uint32_t single_count;
/* Numbers + 1 by pointer: open addressing, at most half full. */
static uint32_t *table;
static uint32_t table_size;

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
    intptr_t *slot = &compress_regions[number & (COMPRESS_SLOTS - 1)];
    if (*slot == COMPRESS_EMPTY)
        __atomic_store_n(slot, bias, __ATOMIC_RELAXED);
    return bias;
}

static intptr_t *single(uint32_t number)
{
    return &blocks[number >> BLOCK_LOG2][number & ((1u << BLOCK_LOG2) - 1)];
}

static uint32_t *place(intptr_t pointer)
{
    uint32_t hash = (uint32_t)((uint64_t)pointer * 0x9e3779b97f4a7c15u >> 32);
    for (uint32_t i = hash;; i++) {
        uint32_t *found = &table[i & (table_size - 1)];
        if (*found == 0 || *single(*found - 1) == pointer)
            return found;
    }
}

static int grow(void)
{
    uint32_t *old = table, size = table_size ? 2 * table_size : 1024;
    uint32_t *larger = calloc(size, sizeof *larger);
    if (!larger)
        return -1;
    table = larger;
    table_size = size;
    for (uint32_t i = 0; i < single_count; i++)
        *place(*single(i)) = i + 1;
    free(old);
    return 0;
}

/* The number of a pointer that does not fit, or UINT32_MAX if memory or numbers are used up. */
static uint32_t single_number(intptr_t pointer)
{
    if (2 * (single_count + 1) > table_size && grow() != 0)
        return UINT32_MAX;
    uint32_t *found = place(pointer);
    if (*found)
        return *found - 1;
    intptr_t **block = &blocks[single_count >> BLOCK_LOG2];
    if (single_count == SINGLE_LIMIT || (!*block && !(*block = calloc(1u << BLOCK_LOG2, sizeof **block))))
        return UINT32_MAX;
    *single(single_count) = pointer;
    __atomic_store_n(&single_count, single_count + 1, __ATOMIC_RELEASE);
    *found = single_count;
    return single_count - 1;
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
 * slot, that is a multiple of 64 GiB away. */
int32_t compress_elsewhere(intptr_t pointer, int handle_class)
{
    const intptr_t *slot = &compress_regions[(pointer >> COMPRESS_REGION_LOG2) & (COMPRESS_SLOTS - 1)];
    uint64_t found = compressed_from(pointer, __atomic_load_n(slot, __ATOMIC_RELAXED));
    int32_t handle = likely(!(found >> 32)) ? (int32_t)found : compress_slow(pointer);
    if (is_compressed(handle))
        count_miss(handle_class, (uint32_t)handle >> 26);
    return handle;
}

intptr_t expand_slow(int32_t handle)
{
    uint32_t number = (uint32_t)handle - SINGLE_FIRST;
    return number < __atomic_load_n(&single_count, __ATOMIC_ACQUIRE) ? *single(number) : 0;
}
