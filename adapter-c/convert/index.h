/* SPDX-License-Identifier: BSD-3-Clause */
/* The adapter's hash table. Its keys are numbers or addresses. Entries are in chains, whose number grows with theirs, so that
 * finding one costs the same however many there are. Entries belong to the caller, contain a struct index_entry, and several may
 * have one key. The caller locks. `count` may be read without a lock: 0 means that no entry is there whose adding happened before
 * the read. Predefined handles alone have another table; predefined.h says why. */
#ifndef INDEX_H
#define INDEX_H

#include "convert/types.h"

struct index_entry {
    struct index_entry *next;
    intptr_t key;
};

struct index {
    struct index_entry **chains;
    uint32_t log2, count;
};

/* Returns the link that leads to the first entry of the key, or to null. */
COLD struct index_entry **index_find(struct index *index, intptr_t key);

/* Does the same among the entries that a link of the key's chain leads to. */
INLINE struct index_entry **index_from(struct index_entry **link, intptr_t key)
{
    while (*link && (*link)->key != key)
        link = &(*link)->next;
    return link;
}

/* Adds an entry whose key is set. Returns non-zero if memory runs out. */
COLD int index_add(struct index *index, struct index_entry *entry);

/* Adds and returns a new entry of `size` bytes, which begins with a struct index_entry and is zero but for its key. Returns
 * null if memory runs out. The caller of index_remove() frees it. */
COLD void *index_new(struct index *index, intptr_t key, size_t size);

/* Removes the entry that a link leads to. */
void index_remove(struct index *index, struct index_entry **link);

#endif
