/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes to slots in pages of any protection. */
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The pages of one region of memory that changes touch, from `low` up to `high`; none if these are equal. */
struct page_range {
    const struct region *region;
    uintptr_t low;
    uintptr_t high;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void gotswap_write_lock(void)
{
    (void)pthread_mutex_lock(&lock);
}

void gotswap_write_unlock(void)
{
    (void)pthread_mutex_unlock(&lock);
}

__attribute__((no_sanitize_address)) static uintptr_t exchange(const struct slot *slot,
                                                               uintptr_t content)
{
    if (gotswap_is_aligned(slot->address))
        return __atomic_exchange_n((uintptr_t *)slot->address, content, __ATOMIC_ACQ_REL);
    struct gotswap_word *place = (struct gotswap_word *)slot->address;
    uintptr_t former = place->content;
    place->content = content;
    return former;
}

/* Extends the range of this address over its page. Returns -1 if no range's region has it. */
static int extend_over(struct page_range *ranges, size_t count, uintptr_t address)
{
    uintptr_t page = address & ~(gotswap_page_size() - 1);
    for (size_t i = 0; i < count; i++) {
        struct page_range *range = &ranges[i];
        if (address < range->region->start || address >= range->region->end)
            continue;
        if (range->low == range->high || page < range->low)
            range->low = page;
        if (page + gotswap_page_size() > range->high)
            range->high = page + gotswap_page_size();
        return 0;
    }
    return -1;
}

/* Makes an empty range for each region of the object; the caller frees them. */
static int make_ranges(const struct maps *maps, const struct image *image,
                       struct page_range **ranges, size_t *count)
{
    size_t first = 0;
    while (first < maps->count && maps->regions[first].end <= image->start)
        first++;
    *count = 0;
    while (first + *count < maps->count && maps->regions[first + *count].start < image->end)
        ++*count;
    *ranges = calloc(*count + 1, sizeof **ranges);
    if (!*ranges)
        return gotswap_fail_memory();
    for (size_t i = 0; i < *count; i++)
        (*ranges)[i].region = &maps->regions[first + i];
    return GOTSWAP_OK;
}

/* Extends the ranges over the slots. A slot that is not aligned may be in two of them. */
static int cover_ranges(const char *path, struct page_range *ranges, size_t range_count, const struct change *changes,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uintptr_t address = changes[i].slot->address;
        if (extend_over(ranges, range_count, address) ||
            extend_over(ranges, range_count, address + sizeof(uintptr_t) - 1))
            return gotswap_fail(GOTSWAP_ENOTLOADED, "%s: no longer loaded", path);
    }
    return GOTSWAP_OK;
}

static bool needs_change(const struct page_range *range)
{
    return range->low < range->high && !(range->region->prot & PROT_WRITE);
}

static int protect_range(const struct page_range *range, int more)
{
    return mprotect((void *)range->low, range->high - range->low, range->region->prot | more);
}

/* Restores the protection of the first `count` ranges. Returns 0, or errno of the first failure. */
static int protect_again(const struct page_range *ranges, size_t count)
{
    int error = 0;
    for (size_t i = 0; i < count; i++)
        if (needs_change(&ranges[i]) && protect_range(&ranges[i], 0) && !error)
            error = errno;
    return error;
}

static int make_writable(const char *path, const struct page_range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!needs_change(&ranges[i]) || protect_range(&ranges[i], PROT_READ | PROT_WRITE) == 0)
            continue;
        int error = errno;
        (void)protect_again(ranges, i);
        return gotswap_fail(GOTSWAP_EPROT, "%s: cannot make the slots writable: %s", path,
                            strerror(error));
    }
    return GOTSWAP_OK;
}

static void write_all(const struct change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct slot *slot = changes[i].slot;
        uintptr_t former = exchange(slot, changes[i].content);
        if (!slot->swapped)
            slot->former = former;
        slot->swapped = true;
    }
}

static int write_in_ranges(const char *path, const struct page_range *ranges, size_t range_count,
                           const struct change *changes, size_t count)
{
    int code = make_writable(path, ranges, range_count);
    if (code)
        return code;
    write_all(changes, count);
    int error = protect_again(ranges, range_count);
    if (error)
        return gotswap_fail(GOTSWAP_EPROT,
                            "%s: the slots were written, but cannot be protected again: %s", path,
                            strerror(error));
    return GOTSWAP_OK;
}

int gotswap_write(const char *path, const struct image *image, const struct change *changes,
                  size_t count)
{
    struct maps maps = {0};
    bool known = image->segments.count > 0;
    struct page_range *ranges = NULL;
    size_t range_count = 0;
    if (count == 0)
        return GOTSWAP_OK;
    int code = known ? GOTSWAP_OK : gotswap_maps_read(&maps);
    if (code)
        return code;
    code = make_ranges(known ? &image->segments : &maps, image, &ranges, &range_count);
    if (!code)
        code = cover_ranges(path, ranges, range_count, changes, count);
    if (!code)
        code = write_in_ranges(path, ranges, range_count, changes, count);
    free(ranges);
    gotswap_maps_free(&maps);
    return code;
}
