/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "process/needed.h"

#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that may be damaged: each read is checked against its bounds. */
struct file {
    const char *bytes;
    size_t size;
};

/* Returns `count` elements at this place of the file, or null if they are not all there or are not aligned. */
static const void *elements_at(const struct file *file, uint64_t offset, uint64_t count, size_t element)
{
    int is_there = offset <= file->size && count <= (file->size - offset) / element;
    return is_there && offset % (element % 8 == 0 ? 8 : 1) == 0 ? file->bytes + offset : 0;
}

static const ElfW(Ehdr) *header_of(const struct file *file)
{
    static const char ident[] = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32,
                                __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB };
    const ElfW(Ehdr) *header = elements_at(file, 0, 1, sizeof *header);
    return header && memcmp(header->e_ident, ident, sizeof ident) == 0 && header->e_phentsize == sizeof(ElfW(Phdr)) ? header : 0;
}

/* The file's segments; `end` is behind the last. */
struct segments {
    const ElfW(Phdr) *first, *end;
};

static struct segments segments_of(const struct file *file)
{
    const ElfW(Ehdr) *header = header_of(file);
    const ElfW(Phdr) *first = header ? elements_at(file, header->e_phoff, header->e_phnum, sizeof *first) : 0;
    return (struct segments){ first, first ? first + header->e_phnum : 0 };
}

/* Returns the strings that will be loaded at this address. Null if they are not all in the file, or the last one has no end. */
static const char *strings_at(const struct file *file, struct segments segments, ElfW(Addr) address, size_t size)
{
    for (const ElfW(Phdr) *segment = segments.first; segment < segments.end; segment++) {
        uint64_t inside = address - segment->p_vaddr;
        if (segment->p_type != PT_LOAD || inside >= segment->p_filesz || size == 0 || size > segment->p_filesz - inside)
            continue;
        const char *strings = elements_at(file, segment->p_offset + inside, size, 1);
        return strings && strings[size - 1] == 0 ? strings : 0;
    }
    return 0;
}

/* Returns the value of the first entry with this tag, or 0. */
static uint64_t value_of(const ElfW(Dyn) *entry, const ElfW(Dyn) *end, ElfW(Sxword) tag)
{
    for (; entry < end && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag)
            return entry->d_un.d_val;
    return 0;
}

/* The dynamic section; `end` is behind its last entry, and both are null if there is none. */
struct dynamic {
    const ElfW(Dyn) *first, *end;
};

static struct dynamic dynamic_of(const struct file *file, struct segments segments)
{
    const ElfW(Phdr) *dynamic = segments.first;
    while (dynamic < segments.end && dynamic->p_type != PT_DYNAMIC)
        dynamic++;
    if (dynamic == segments.end)
        return (struct dynamic){ 0, 0 };
    size_t count = dynamic->p_filesz / sizeof(ElfW(Dyn));
    const ElfW(Dyn) *first = elements_at(file, dynamic->p_offset, count, sizeof *first);
    return (struct dynamic){ first, first ? first + count : 0 };
}

static int each_needed(const struct file *file, int (*visit)(const char *name, const void *context), const void *context)
{
    struct segments segments = segments_of(file);
    struct dynamic dynamic = dynamic_of(file, segments);
    const ElfW(Dyn) *entry = dynamic.first, *end = dynamic.end;
    size_t size = value_of(entry, end, DT_STRSZ);
    const char *strings = strings_at(file, segments, value_of(entry, end, DT_STRTAB), size);
    int sum = 0;
    for (; strings && entry < end && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_NEEDED && entry->d_un.d_val < size)
            sum += visit(strings + entry->d_un.d_val, context);
    return sum;
}

/* Linkers put the strings behind the symbols: what lies between is no symbol of this name. */
static size_t copy_exported(const struct file *file, const char *wanted, char *text, size_t room)
{
    struct segments segments = segments_of(file);
    struct dynamic dynamic = dynamic_of(file, segments);
    size_t size = value_of(dynamic.first, dynamic.end, DT_STRSZ);
    const char *strings = strings_at(file, segments, value_of(dynamic.first, dynamic.end, DT_STRTAB), size);
    uint64_t from = value_of(dynamic.first, dynamic.end, DT_SYMTAB) - value_of(dynamic.first, dynamic.end, DT_STRTAB);
    size_t count = (size_t)(0 - from) / sizeof(ElfW(Sym));
    if (!strings || (uint64_t)(strings - file->bytes) < count * sizeof(ElfW(Sym)))
        return 0;
    const ElfW(Sym) *symbol = elements_at(file, (uint64_t)(strings - file->bytes) + from, count, sizeof *symbol);
    for (size_t i = 0; symbol && i < count; i++) {
        if (symbol[i].st_name >= size || symbol[i].st_shndx == SHN_UNDEF || strcmp(strings + symbol[i].st_name, wanted) != 0)
            continue;
        const char *found = strings_at(file, segments, symbol[i].st_value, symbol[i].st_size);
        size_t length = found ? strlen(found) : room;
        return length < room ? (memcpy(text, found, length + 1), length) : 0;
    }
    return 0;
}

/* Maps a regular file; its bytes are null if that fails. */
static struct file map_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    struct file file = { 0, 0 };
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        void *bytes = mmap(0, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED)
            file = (struct file){ bytes, (size_t)status.st_size };
    }
    if (fd >= 0)
        close(fd);
    return file;
}

static void unmap_file(struct file file)
{
    if (file.bytes)
        munmap((void *)file.bytes, file.size);
}

int needed_each(const char *path, int (*visit)(const char *name, const void *context), const void *context)
{
    struct file file = map_file(path);
    int sum = file.bytes ? each_needed(&file, visit, context) : 0;
    unmap_file(file);
    return sum;
}

size_t needed_text(const char *path, const char *symbol, char *text, size_t room)
{
    struct file file = map_file(path);
    size_t length = file.bytes ? copy_exported(&file, symbol, text, room) : 0;
    unmap_file(file);
    return length;
}
