/* SPDX-License-Identifier: BSD-3-Clause */
/* The adapter's hash table. Entries are found by a number or an address: they are in chains, whose number
 * grows with theirs, so that finding one costs the same however many there are. Entries belong to the
 * caller, contain a struct index_entry, and several may have one key. Locking is the caller's; `count` may
 * be read without, in no order with anything else, to learn that an entry is not there which the reader would know
 * of: it sees at least those whose adding happened before. Only predefined handles have a table of their own:
 * predefined.h says why. */
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

/* The link that leads to the first entry of the key, or to null. */
COLD struct index_entry **index_find(struct index *index, intptr_t key);

/* The same among those that a link of the key's chain leads to. */
INLINE struct index_entry **index_from(struct index_entry **link, intptr_t key)
{
    while (*link && (*link)->key != key)
        link = &(*link)->next;
    return link;
}

/* Adds an entry whose key is set; non-zero if memory runs out. */
COLD int index_add(struct index *index, struct index_entry *entry);

/* Adds a new entry of `size` bytes, which begins with a struct index_entry and is zero but for its key; null if memory is
 * lacking. Who takes it out frees it. */
COLD void *index_new(struct index *index, intptr_t key, size_t size);

/* Takes out the entry that a link leads to. */
void index_remove(struct index *index, struct index_entry **link);

#endif
