/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "fuzz.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FILES = 4, PATH = 64, NAMES = 16 };

/* ---- what is read ---- */

static void *needed(void *what)
{
    if (!what) {
        perror("fuzz");
        exit(2);
    }
    return what;
}

const char *fuzz_file(int number, const uint8_t *data, size_t size)
{
    static FILE *files[FILES];
    static char paths[FILES][PATH];
    if (!files[number]) {
        int fd = memfd_create("fuzz", MFD_CLOEXEC);
        files[number] = needed(fdopen(fd, "w"));
        setvbuf(files[number], NULL, _IONBF, 0);
        snprintf(paths[number], PATH, "/proc/self/fd/%d", fd);
    }
    rewind(files[number]);
    if (ftruncate(fileno(files[number]), 0) != 0 || (size > 0 && fwrite(data, size, 1, files[number]) != 1))
        needed(NULL);
    return paths[number];
}

static char folder[PATH], links[NAMES][2 * PATH];
static int link_count;

static void remove_folder(void)
{
    while (link_count > 0)
        unlink(links[--link_count]);
    rmdir(folder);
}

const char *fuzz_folder(void)
{
    if (!folder[0]) {
        snprintf(folder, PATH, "%s", "/tmp/mpi-adapter-fuzz.XXXXXX");
        needed(mkdtemp(folder));
        atexit(remove_folder);
    }
    return folder;
}

void fuzz_link(const char *name, const char *to)
{
    snprintf(links[link_count], sizeof links[0], "%s/%s", fuzz_folder(), name);
    if (symlink(to, links[link_count]) != 0)
        needed(NULL);
    link_count++;
}

/* ---- how it is changed ---- */

static unsigned state;

static size_t below(size_t bound)
{
    state = state * 1664525u + 1013904223u;
    return bound ? (state >> 4) % bound : 0;
}

/* Returns the offset of a word of an ELF file that leads somewhere, or any offset. */
static size_t place(const uint8_t *data, size_t size)
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    size_t segments;
    if (size < sizeof header || memcmp(data, ELFMAG, SELFMAG) != 0)
        return below(size);
    memcpy(&header, data, sizeof header);
    segments = header.e_phoff < size ? (size_t)header.e_phoff : sizeof header;
    switch (below(5)) {
    case 0: return below(sizeof header);
    case 1: return segments + below(header.e_phnum) * sizeof segment + below(sizeof segment);
    case 2: return below(size);
    default: break;
    }
    for (size_t i = below(header.e_phnum); i < header.e_phnum && segments + (i + 1) * sizeof segment <= size; i++) {
        memcpy(&segment, data + segments + i * sizeof segment, sizeof segment);
        if (segment.p_type == PT_DYNAMIC || segment.p_type == PT_LOAD)
            return (size_t)(segment.p_offset + below((size_t)segment.p_filesz));
    }
    return below(size);
}

static uint64_t value(const uint8_t *data, size_t size, uint64_t old)
{
    static const uint64_t edges[] = { 0, 1, 7, 8, 0x7f, 0xff, 0x7fff, 0xffff, INT32_MAX, UINT32_MAX, INT64_MAX,
                                      (uint64_t)INT64_MAX + 1, UINT64_MAX, UINT64_MAX - 7, UINT64_MAX / 24 };
    uint64_t other = 0;
    switch (below(6)) {
    case 0: return edges[below(sizeof edges / sizeof *edges)];
    case 1: return size - below(64) + 16;
    case 2: return old + below(64) - 32;
    case 3: return old << below(16);
    case 4: return below(256);
    default: memcpy(&other, data + below(size - sizeof other), sizeof other); return other;
    }
}

/* A word, half of one, ... of one byte. */
static void change(uint8_t *data, size_t size)
{
    size_t bytes = (size_t)1 << below(4), at = place(data, size);
    uint64_t old = 0, new;
    if (size <= sizeof old) {
        data[below(size)] = (uint8_t)below(256);
        return;
    }
    at = at > size - bytes ? size - bytes : at;
    at -= below(4) ? at % bytes : 0;
    memcpy(&old, data + at, bytes);
    new = value(data, size, old);
    memcpy(data + at, &new, bytes);
}

/* Moves a part of a text, or of anything, to another place. */
static size_t splice(uint8_t *data, size_t size, size_t room)
{
    size_t from = below(size), length = below(size - from < 64 ? size - from : 64) + 1, to = below(size + 1);
    uint8_t part[64];
    if (from + length > size || size + length > room)
        return size;
    memcpy(part, data + from, length);
    memmove(data + to + length, data + to, size - to);
    memcpy(data + to, part, length);
    return size + length;
}

static size_t leave_out(uint8_t *data, size_t size)
{
    size_t from = below(size), length = below(64) + 1;
    if (from + length > size)
        return from;
    memmove(data + from, data + from + length, size - from - length);
    return size - length;
}

size_t fuzz_mutate(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    state = seed;
    int is_elf = size > SELFMAG && memcmp(data, ELFMAG, SELFMAG) == 0;
    for (size_t count = below(6) + 1; count > 0 && size > 0; count--) {
        size_t kind = below(is_elf ? 32 : 4);
        if (kind == 0)
            size = splice(data, size, room);
        else if (kind == 1)
            size = below(is_elf ? 4 : 1) ? below(size) : leave_out(data, size);
        else
            change(data, size);
    }
    return size;
}
