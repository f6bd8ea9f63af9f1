/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/index.h"

#include <stdlib.h>

#define FIRST_LOG2 6

static struct index_entry **chain_of(struct index_entry **chains, uint32_t log2, intptr_t key)
{
    return &chains[(uint64_t)key * 0x9e3779b97f4a7c15u >> (64 - log2)];
}

struct index_entry **index_find(struct index *index, intptr_t key)
{
    static struct index_entry *none;
    return index->chains ? index_from(chain_of(index->chains, index->log2, key), key) : &none;
}

static void put_entry(struct index_entry **chains, uint32_t log2, struct index_entry *entry)
{
    struct index_entry **chain = chain_of(chains, log2, entry->key);
    entry->next = *chain;
    *chain = entry;
}

/* Twice as many chains; without memory for them the old ones serve on. */
static void grow(struct index *index)
{
    uint32_t log2 = index->chains ? index->log2 + 1 : FIRST_LOG2;
    struct index_entry **chains = calloc((size_t)1 << log2, sizeof *chains);
    if (!chains)
        return;
    for (size_t i = 0; index->chains && i < (size_t)1 << index->log2; i++)
        for (struct index_entry *entry = index->chains[i], *next; entry; entry = next) {
            next = entry->next;
            put_entry(chains, log2, entry);
        }
    free(index->chains);
    index->chains = chains;
    index->log2 = log2;
}

int index_add(struct index *index, struct index_entry *entry)
{
    if (!index->chains || index->count >> index->log2)
        grow(index);
    if (!index->chains)
        return -1;
    put_entry(index->chains, index->log2, entry);
    __atomic_store_n(&index->count, index->count + 1, __ATOMIC_RELAXED);
    return 0;
}

void *index_new(struct index *index, intptr_t key, size_t size)
{
    struct index_entry *added = calloc(1, size);
    if (!added)
        return 0;
    added->key = key;
    if (index_add(index, added) == 0)
        return added;
    free(added);
    return 0;
}

void index_remove(struct index *index, struct index_entry **link)
{
    *link = (*link)->next;
    __atomic_store_n(&index->count, index->count - 1, __ATOMIC_RELAXED);
}
