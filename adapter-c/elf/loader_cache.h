// SPDX-License-Identifier: BSD-3-Clause
// The dynamic loader's list of libraries, ld.so.cache.
#ifndef LOADER_CACHE_H
#define LOADER_CACHE_H

#include <stddef.h>

struct loader_cache {
    char *bytes;    // NULL: there is none
    size_t size;    // without the 0 behind them
    size_t start;   // of the part in the current format
    size_t count;
    size_t kinds;       // where names of kinds of processors are listed, from the start; 0: nowhere
    size_t kind_count;
};

// Reads the cache of the system whose / is `root`; its bytes are NULL if there is none. Frees it.
void loader_cache_open(struct loader_cache *cache, const char *root);
void loader_cache_close(struct loader_cache *cache);

// Returns the next path of the library of this name for a kind of processors (elf/processor.h), or with NULL for all, from entry *position
// on, which it advances; NULL after the last. The path lasts until loader_cache_close().
const char *loader_cache_find(const struct loader_cache *cache, const char *name, const char *kind, size_t *position);

#endif
