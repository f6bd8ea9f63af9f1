// SPDX-License-Identifier: BSD-3-Clause
// The bytes of an ELF file, of either class and byte order.
#ifndef ELF_BYTES_H
#define ELF_BYTES_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct piece;

struct elf_bytes {
    int fd;
    uint64_t size;
    bool is_64, is_big_endian;
    struct piece *pieces;   // all that was read
};

// Reads a range of the file. The bytes stay until pieces_free(). Returns NULL if the range is empty, or the file does not
// hold it.
const unsigned char *chunk(struct elf_bytes *bytes, uint64_t offset, uint64_t size);

// Frees all that was read.
void pieces_free(struct elf_bytes *bytes);

// Returns the number that `size` bytes hold, in the byte order of the file.
uint64_t number_at(const struct elf_bytes *bytes, const unsigned char *at, size_t size);

// A structure of <elf.h> as the file has it, and a field of one, such as FIELD(bytes, at, Phdr, p_type).
#define SIZE_OF(bytes, structure) ((bytes)->is_64 ? sizeof(Elf64_##structure) : sizeof(Elf32_##structure))
#define FIELD(bytes, at, structure, name) \
    ((bytes)->is_64 ? number_at(bytes, (at) + offsetof(Elf64_##structure, name), sizeof((Elf64_##structure *)0)->name) \
                    : number_at(bytes, (at) + offsetof(Elf32_##structure, name), sizeof((Elf32_##structure *)0)->name))

#endif
