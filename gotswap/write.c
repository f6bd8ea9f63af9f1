/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes to slots, whatever the protection of their pages is. */
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The pages of one region of memory that changes touch: from `low` up to `high`. */
struct window {
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

static int include(struct window *windows, size_t count, uintptr_t address)
{
    uintptr_t page = address & ~(gotswap_page_size() - 1);
    for (size_t i = 0; i < count; i++) {
        struct window *window = &windows[i];
        if (address < window->region->start || address >= window->region->end)
            continue;
        if (window->low == window->high || page < window->low)
            window->low = page;
        if (page + gotswap_page_size() > window->high)
            window->high = page + gotswap_page_size();
        return 0;
    }
    return -1;
}

/* One window for each region of the object, in `windows`; the caller frees them. */
static int make_windows(const struct maps *maps, const struct image *image,
                        struct window **windows, size_t *count)
{
    size_t first = 0;
    while (first < maps->count && maps->regions[first].end <= image->start)
        first++;
    *count = 0;
    while (first + *count < maps->count && maps->regions[first + *count].start < image->end)
        ++*count;
    *windows = calloc(*count + 1, sizeof **windows);
    if (!*windows)
        return gotswap_fail_memory();
    for (size_t i = 0; i < *count; i++)
        (*windows)[i].region = &maps->regions[first + i];
    return GOTSWAP_OK;
}

/* Extends the windows over the slots; a slot that is not aligned may be in two of them. */
static int cover(const char *path, struct window *windows, size_t window_count,
                 const struct change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uintptr_t address = changes[i].slot->address;
        if (include(windows, window_count, address) ||
            include(windows, window_count, address + sizeof(uintptr_t) - 1))
            return gotswap_fail(GOTSWAP_ENOTLOADED, "%s: no longer loaded", path);
    }
    return GOTSWAP_OK;
}

static bool needs_change(const struct window *window)
{
    return window->low < window->high && !(window->region->prot & PROT_WRITE);
}

static int protect(const struct window *window, int more)
{
    return mprotect((void *)window->low, window->high - window->low,
                    window->region->prot | more);
}

/* Puts back the protection of the first `count` windows; 0 or the first error. */
static int protect_again(const struct window *windows, size_t count)
{
    int error = 0;
    for (size_t i = 0; i < count; i++)
        if (needs_change(&windows[i]) && protect(&windows[i], 0) && !error)
            error = errno;
    return error;
}

static int make_writable(const char *path, const struct window *windows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!needs_change(&windows[i]) || protect(&windows[i], PROT_READ | PROT_WRITE) == 0)
            continue;
        int error = errno;
        (void)protect_again(windows, i);
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

static int write_windows(const char *path, const struct window *windows, size_t window_count,
                         const struct change *changes, size_t count)
{
    int code = make_writable(path, windows, window_count);
    if (code)
        return code;
    write_all(changes, count);
    int error = protect_again(windows, window_count);
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
    struct window *windows = NULL;
    size_t window_count = 0;
    if (count == 0)
        return GOTSWAP_OK;
    int code = known ? GOTSWAP_OK : gotswap_maps_read(&maps);
    if (code)
        return code;
    code = make_windows(known ? &image->segments : &maps, image, &windows, &window_count);
    if (!code)
        code = cover(path, windows, window_count, changes, count);
    if (!code)
        code = write_windows(path, windows, window_count, changes, count);
    free(windows);
    gotswap_maps_free(&maps);
    return code;
}
