/* SPDX-License-Identifier: BSD-3-Clause */
#include "requests/retained_array.h"

#include <stdlib.h>

#include "convert/index.h"
#include "layers/lock.h"

/* By the request's handle. */
struct retained {
    struct index_entry entry;
    uint64_t number; /* in the order of retaining */
};

/* A call's last array, and those before it, which are in no table. */
struct array {
    struct retained retained;
    struct array *before;
    max_align_t room[];
};

struct value {
    struct retained retained;
    intptr_t value;
    void (*release)(intptr_t value);
};

static struct index retained_arrays, retained_values;
static uint64_t last_number;
LOCK(retained_arrays);

INLINE void add_retained(struct index *index, struct retained *added)
{
    take_lock(retained_arrays);
    if (index_add(index, &added->entry) == 0) {
        added->number = ++last_number;
        __atomic_add_fetch(&special_requests, 1, __ATOMIC_RELAXED);
    }
    release_lock(retained_arrays);
}

void *retained_room(void **arrays, size_t bytes)
{
    struct array *made = malloc(sizeof *made + bytes);
    if (!made)
        return 0;
    made->before = *arrays;
    *arrays = made;
    return made->room;
}

static void free_arrays(struct array *last)
{
    while (last) {
        struct array *before = last->before;
        free(last);
        last = before;
    }
}

void retain_arrays(const host_request *request, void *arrays)
{
    struct array *added = arrays;
    if (!request) {
        free_arrays(added);
    } else if (added) {
        added->retained.entry.key = HOST_REQUEST_BITS(*request);
        /* Without memory for the table the arrays stay for good: a leak is safe, freeing is not. */
        add_retained(&retained_arrays, &added->retained);
    }
}

uint64_t retain_mark(void)
{
    take_lock(retained_arrays);
    uint64_t mark = last_number;
    release_lock(retained_arrays);
    return mark;
}

/* Unlinks every entry of the request up to the mark. A host may share one handle among operations
 * that were complete at once: what the others retained is not needed any more either. */
INLINE struct index_entry *unlink_request(struct index *index, intptr_t request, uint64_t mark)
{
    struct index_entry *found = 0, **link = index_find(index, request);
    for (; *link; link = index_from(link, request)) {
        struct index_entry *entry = *link;
        if (((struct retained *)entry)->number > mark) {
            link = &entry->next;
            continue;
        }
        index_remove(index, link);
        entry->next = found;
        found = entry;
        __atomic_sub_fetch(&special_requests, 1, __ATOMIC_RELAXED);
    }
    return found;
}

INLINE void release_arrays(host_request request, uint64_t mark)
{
    take_lock(retained_arrays);
    struct index_entry *entry = unlink_request(&retained_arrays, HOST_REQUEST_BITS(request), mark);
    release_lock(retained_arrays);
    while (entry) {
        struct index_entry *next = entry->next;
        free_arrays((struct array *)entry);
        entry = next;
    }
}

static COLD void release_values(host_request request, uint64_t mark)
{
    take_lock(retained_arrays);
    struct index_entry *entry = unlink_request(&retained_values, HOST_REQUEST_BITS(request), mark);
    release_lock(retained_arrays);
    while (entry) {
        struct value *value = (struct value *)entry;
        entry = entry->next;
        value->release(value->value);
        free(value);
    }
}

/* The count needs no order, as that of special_requests needs none. */
void release_retained(host_request request, uint64_t mark)
{
    release_arrays(request, mark);
    if (unlikely(__atomic_load_n(&retained_values.count, __ATOMIC_RELAXED) != 0))
        release_values(request, mark);
}

int retain_value(host_request request, intptr_t value, void (*release)(intptr_t value))
{
    struct value *made = calloc(1, sizeof *made);
    if (!made)
        return -1;
    made->retained.entry.key = HOST_REQUEST_BITS(request);
    made->value = value;
    made->release = release;
    add_retained(&retained_values, &made->retained);
    return 0;
}
