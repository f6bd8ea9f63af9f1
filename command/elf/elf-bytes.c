// SPDX-License-Identifier: BSD-3-Clause
#include "elf-bytes.h"

#include <stdlib.h>
#include <unistd.h>

struct piece {
    struct piece *next;
    unsigned char bytes[];
};

// Whether the file still has all of it. It may shrink at any time, so that it is not mapped: that would end in SIGBUS.
static bool read_all(int fd, unsigned char *to, uint64_t offset, uint64_t size)
{
    while (size) {
        ssize_t count = pread(fd, to, size, (off_t)offset);
        if (count <= 0)
            return false;
        to += count;
        offset += (uint64_t)count;
        size -= (uint64_t)count;
    }
    return true;
}

const unsigned char *chunk(struct elf_bytes *bytes, uint64_t offset, uint64_t size)
{
    if (size == 0 || offset > bytes->size || size > bytes->size - offset)
        return NULL;
    struct piece *piece = malloc(sizeof *piece + size);
    if (!piece || !read_all(bytes->fd, piece->bytes, offset, size)) {
        free(piece);
        return NULL;
    }
    piece->next = bytes->pieces;
    bytes->pieces = piece;
    return piece->bytes;
}

void pieces_free(struct elf_bytes *bytes)
{
    for (struct piece *next; bytes->pieces; bytes->pieces = next) {
        next = bytes->pieces->next;
        free(bytes->pieces);
    }
}

uint64_t number_at(const struct elf_bytes *bytes, const unsigned char *at, size_t size)
{
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++)
        number |= (uint64_t)at[i] << 8 * (bytes->is_big_endian ? size - 1 - i : i);
    return number;
}
