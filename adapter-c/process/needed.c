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

static int each_needed(const struct file *file, int (*visit)(const char *name, const void *context), const void *context)
{
    struct segments segments = segments_of(file);
    const ElfW(Phdr) *dynamic = segments.first;
    int sum = 0;
    while (dynamic < segments.end && dynamic->p_type != PT_DYNAMIC)
        dynamic++;
    if (dynamic == segments.end)
        return 0;
    size_t count = dynamic->p_filesz / sizeof(ElfW(Dyn));
    const ElfW(Dyn) *entry = elements_at(file, dynamic->p_offset, count, sizeof *entry), *end = entry ? entry + count : 0;
    size_t size = value_of(entry, end, DT_STRSZ);
    const char *strings = strings_at(file, segments, value_of(entry, end, DT_STRTAB), size);
    for (; strings && entry < end && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_NEEDED && entry->d_un.d_val < size)
            sum += visit(strings + entry->d_un.d_val, context);
    return sum;
}

int needed_each(const char *path, int (*visit)(const char *name, const void *context), const void *context)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), sum = 0;
    struct stat status;
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        struct file file = { mmap(0, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0), (size_t)status.st_size };
        if ((const void *)file.bytes != MAP_FAILED) {
            sum = each_needed(&file, visit, context);
            munmap((void *)file.bytes, file.size);
        }
    }
    if (fd >= 0)
        close(fd);
    return sum;
}
