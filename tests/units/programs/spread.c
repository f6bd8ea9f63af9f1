/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded: an allocator that spreads what is allocated over 40 regions, 1 TiB apart: handles are
 * compressed by lower bits, so that of all of them one is found without a lock, and another one of objects at odd multiples
 * of 8. Nothing is used again. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { REGIONS = 40 };
static char *next[REGIONS], *end[REGIONS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned turn;

static void map(int region)
{
    size_t size = (size_t)256 << 20;
    void *wish = (void *)(0x100000000000 + (intptr_t)region * ((intptr_t)1 << 40));
    next[region] = mmap(wish, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    end[region] = next[region] == MAP_FAILED ? next[region] : next[region] + size;
}

static void *take_aligned(size_t size, size_t alignment)
{
    pthread_mutex_lock(&lock);
    /* In no order that an object's number of allocations could fit. */
    turn = turn * 1103515245 + 12345;
    int region = (int)((turn >> 16) % REGIONS);
    if (!next[region])
        map(region);
    /* Each block behind a header of its size; none for sizes that are unreasonable. */
    uintptr_t at = ((uintptr_t)next[region] + 16 + alignment - 1) & ~(uintptr_t)(alignment - 1);
    void *block = 0;
    if (size < ((size_t)128 << 20) && (uintptr_t)end[region] > at && (uintptr_t)end[region] - at > size) {
        ((size_t *)at)[-1] = size;
        next[region] = (char *)((at + size + 15) & ~(uintptr_t)15);
        block = (void *)at;
    }
    pthread_mutex_unlock(&lock);
    if (!block)
        errno = ENOMEM;
    return block;
}

void *malloc(size_t size) { return take_aligned(size, 16); }
void free(void *block) { (void)block; }
void *memalign(size_t alignment, size_t size) { return take_aligned(size, alignment < 16 ? 16 : alignment); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
void *valloc(size_t size) { return memalign(4096, size); }

int posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

void *calloc(size_t count, size_t size)
{
    /* Memory that was never used is zero. */
    return size && count > SIZE_MAX / size ? 0 : take_aligned(count * size, 16);
}

void *realloc(void *block, size_t size)
{
    void *larger = take_aligned(size, 16);
    if (larger && block) {
        size_t had = ((size_t *)block)[-1];
        memcpy(larger, block, had < size ? had : size);
    }
    return larger;
}
