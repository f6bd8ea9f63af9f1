// SPDX-License-Identifier: BSD-3-Clause
// A header, entries, and the strings that they point to; ahead of it may be a
// list in an older format, which programs ignore.
#include "elf/loader_cache.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define OLD_MAGIC "ld.so-1.7.0"
#define MAGIC "glibc-ld.so.cache1.1"

enum { MOST_BYTES = 1 << 26 };

struct old_header {
    char magic[sizeof OLD_MAGIC];
    uint32_t count;
};

struct old_entry {
    int32_t flags;
    uint32_t name, path;
};

struct header {
    char magic[sizeof MAGIC - 1];
    uint32_t count;
    uint32_t strings_size;
    uint8_t flags;
    uint8_t padding[3];
    uint32_t extensions;
    uint32_t unused[3];
};

struct entry {
    int32_t flags;
    uint32_t name, path; // from the start of the header
    uint32_t os;
    uint64_t capabilities; // 0, or bits of older releases, or OF_KIND and the number of a kind of processors
};

#define OF_KIND (UINT64_C(1) << 62)
// Bits for the level of processors that the file itself asks for, which the kind includes.
#define LEVEL (UINT64_C(0x3ff) << 32)

// Newer releases have these behind the strings.
enum { EXTENSIONS_MAGIC = (int)0xeaa42174u, KINDS_TAG = 1, MOST_EXTENSIONS = 64, MOST_KINDS = 64 };

struct extensions {
    uint32_t magic, count;
};

struct extension {
    uint32_t tag, flags, offset, size;
};

static char *read_whole(const char *path, size_t *size)
{
    struct stat status;
    FILE *file = fopen(path, "re");
    bool is_usual = file && fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= MOST_BYTES;
    char *bytes = is_usual ? malloc((size_t)status.st_size + 1) : NULL;
    *size = bytes ? fread(bytes, 1, (size_t)status.st_size, file) : 0;
    if (file)
        fclose(file);
    if (bytes)
        bytes[*size] = 0;
    return bytes;
}

static size_t skip_old(const struct loader_cache *cache)
{
    struct old_header old;
    if (cache->size < sizeof old)
        return 0;
    memcpy(&old, cache->bytes, sizeof old);
    if (memcmp(old.magic, OLD_MAGIC, sizeof OLD_MAGIC - 1) != 0)
        return 0;
    return (sizeof old + (size_t)old.count * sizeof(struct old_entry) + 7) & ~(size_t)7;
}

// Copies a record from that far behind the start. Returns false if it is not all there.
static bool copy_record(const struct loader_cache *cache, size_t offset, void *record, size_t size)
{
    size_t there = cache->size - cache->start;
    if (offset > there || size > there - offset)
        return false;
    memcpy(record, cache->bytes + cache->start + offset, size);
    return true;
}

// Kinds of processors are a list of offsets of their names.
static void find_kinds(struct loader_cache *cache, size_t offset)
{
    struct extensions all;
    struct extension one;
    if (offset == 0 || !copy_record(cache, offset, &all, sizeof all) || all.magic != (uint32_t)EXTENSIONS_MAGIC)
        return;
    for (size_t i = 0; i < all.count && i < MOST_EXTENSIONS; i++)
        if (copy_record(cache, offset + sizeof all + i * sizeof one, &one, sizeof one) && one.tag == KINDS_TAG) {
            cache->kinds = one.offset;
            cache->kind_count = one.size / sizeof(uint32_t) < MOST_KINDS ? one.size / sizeof(uint32_t) : MOST_KINDS;
        }
}

void loader_cache_open(struct loader_cache *cache, const char *root)
{
    char path[PATH_MAX + 32];
    struct header header;
    snprintf(path, sizeof path, "%s/etc/ld.so.cache", root);
    cache->bytes = read_whole(path, &cache->size);
    cache->start = cache->bytes ? skip_old(cache) : 0;
    cache->count = cache->kinds = cache->kind_count = 0;
    if (!cache->bytes || cache->start > cache->size || cache->size - cache->start < sizeof header)
        return;
    memcpy(&header, cache->bytes + cache->start, sizeof header);
    if (memcmp(header.magic, MAGIC, sizeof header.magic) == 0 &&
        header.count <= (cache->size - cache->start - sizeof header) / sizeof(struct entry))
        cache->count = header.count;
    if (cache->count > 0)
        find_kinds(cache, header.extensions);
}

void loader_cache_close(struct loader_cache *cache)
{
    free(cache->bytes);
    cache->bytes = NULL;
}

// There is a 0 behind the last byte.
static const char *cached_text(const struct loader_cache *cache, uint32_t offset)
{
    return offset < cache->size - cache->start ? cache->bytes + cache->start + offset : "";
}

// Returns the value of `capabilities` in entries of a kind; one that no entry has if the cache does not know the kind.
static uint64_t capabilities_of(const struct loader_cache *cache, const char *kind)
{
    uint32_t name;
    for (size_t i = 0; i < cache->kind_count; i++)
        if (copy_record(cache, cache->kinds + i * sizeof name, &name, sizeof name) && strcmp(cached_text(cache, name), kind) == 0)
            return OF_KIND | i;
    return UINT64_MAX;
}

const char *loader_cache_find(const struct loader_cache *cache, const char *name, const char *kind, size_t *position)
{
    struct entry entry;
    uint64_t capabilities = kind ? capabilities_of(cache, kind) : 0;
    if (capabilities == UINT64_MAX)
        return NULL;
    for (size_t i; (i = (*position)++) < cache->count;) {
        memcpy(&entry, cache->bytes + cache->start + sizeof(struct header) + i * sizeof entry, sizeof entry);
        if ((entry.capabilities & ~LEVEL) == capabilities && strcmp(cached_text(cache, entry.name), name) == 0)
            return cached_text(cache, entry.path);
    }
    return NULL;
}
