/* SPDX-License-Identifier: BSD-3-Clause */
#include "arena.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { BLOCK = 64 * 1024 };

/* All that was allocated, the newest first. */
static struct block {
    struct block *before;
    size_t used, size;
    alignas(max_align_t) char memory[];
} *blocks;

void *arena_memory(size_t size)
{
    size = (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
    if (!blocks || blocks->size - blocks->used < size) {
        size_t room = size > BLOCK ? size : BLOCK;
        struct block *block = reallocated(0, sizeof *block + room);
        memset(block, 0, sizeof *block + room);
        block->before = blocks;
        block->size = room;
        blocks = block;
    }
    blocks->used += size;
    return blocks->memory + blocks->used - size;
}

void *arena_grown(void *array, size_t count, size_t size)
{
    if (array && (count & (count - 1)) != 0)
        return array;
    void *larger = arena_memory((count ? 2 * count : 1) * size);
    if (array)
        memcpy(larger, array, count * size);
    return larger;
}

void arena_empty(void)
{
    while (blocks) {
        struct block *before = blocks->before;
        free(blocks);
        blocks = before;
    }
}

char *arena_formatted(const char *format, va_list values)
{
    va_list again;
    va_copy(again, values);
    int length = vsnprintf(0, 0, format, again);
    va_end(again);
    char *text = arena_memory((size_t)(length < 0 ? 0 : length) + 1);
    vsnprintf(text, (size_t)(length < 0 ? 0 : length) + 1, format, values);
    return text;
}

char *arena_text(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *text = arena_formatted(format, values);
    va_end(values);
    return text;
}
