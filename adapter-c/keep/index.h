/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of entries by a handle's bits: chains of entries, whose number grows with theirs, so that
 * finding one costs the same however many there are. Entries belong to the caller, begin with a
 * struct index_entry, and several may have one key. Locking is the caller's; `count` may be read
 * without. */
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

/* The link that leads to the first entry of the key's chain, which holds other keys too. */
COLD struct index_entry **index_chain(struct index *index, intptr_t key);

/* Adds an entry whose key is set; non-zero if memory is lacking. */
COLD int index_add(struct index *index, struct index_entry *entry);

/* Takes out the entry that a link leads to. */
void index_remove(struct index *index, struct index_entry **link);

#endif
