// SPDX-License-Identifier: BSD-3-Clause
#include "elf-contains.h"

#include <string.h>
#include <unistd.h>

static bool has_text(const char *bytes, size_t size, const char *text)
{
    return memmem(bytes, size, text, strlen(text)) != NULL;
}

enum { BLOCK = 1 << 16, LONGEST_TEXT = 200, MOST_SEGMENTS = 64 };

// Looks for a text from one place of the file to another.
static int look_through(struct elf_file *f, const char *text, uint64_t begin, uint64_t end)
{
    // Each block begins with the end of the one before it, in which the text may begin.
    static char bytes[LONGEST_TEXT + BLOCK];
    size_t kept = 0;
    while (begin < end) {
        ssize_t read = pread(f->fd, bytes + kept, end - begin < BLOCK ? (size_t)(end - begin) : BLOCK, (off_t)begin);
        if (read <= 0)
            break;
        size_t size = kept + (size_t)read;
        if (has_text(bytes, size, text))
            return ELF_YES;
        begin += (uint64_t)read;
        kept = size < LONGEST_TEXT ? size : LONGEST_TEXT;
        memmove(bytes, bytes + size - kept, kept);
    }
    return ELF_NO;
}

// Whether the segment with the file's header is for constants alone: then the linker has put no text into one with code. It makes few
// segments.
static bool has_code_apart(const struct elf_file *f)
{
    bool is_apart = false;
    for (size_t i = 0; i < f->header.e_phnum; i++) {
        Elf64_Phdr segment = elf_segment(f, i);
        if (segment.p_type == PT_LOAD && segment.p_offset == 0)
            is_apart = !(segment.p_flags & (PF_X | PF_W));
    }
    return is_apart && f->header.e_phnum <= MOST_SEGMENTS;
}

// Returns where code is next, from a place of the file on, and sets *end to where it ends; the size of the file for both if none is.
static uint64_t next_code(const struct elf_file *f, uint64_t at, uint64_t *end)
{
    uint64_t begin = *end = f->size;
    for (size_t i = 0; i < f->header.e_phnum; i++) {
        Elf64_Phdr segment = elf_segment(f, i);
        if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X) || segment.p_offset >= begin)
            continue;
        uint64_t length = segment.p_filesz < f->size - segment.p_offset ? segment.p_filesz : f->size - segment.p_offset;
        if (segment.p_offset + length <= at)
            continue;
        begin = segment.p_offset > at ? segment.p_offset : at;
        *end = segment.p_offset + length;
    }
    return begin;
}

// Returns where the part of a file ends that is loaded: behind it are symbols, and what debuggers read.
static uint64_t loaded_size(const struct elf_file *f)
{
    uint64_t size = 0;
    for (size_t i = 0; i < f->header.e_phnum; i++) {
        Elf64_Phdr segment = elf_segment(f, i);
        if (segment.p_type == PT_LOAD && segment.p_offset < f->size && segment.p_filesz <= f->size - segment.p_offset &&
            segment.p_offset + segment.p_filesz > size)
            size = segment.p_offset + segment.p_filesz;
    }
    return size;
}

// Looks through a file up to a size. Code is most of a library, so it is left out where that is possible.
static int contains(struct elf_file *f, const char *text, uint64_t size)
{
    const uint64_t most = (uint64_t)4 << 30;
    bool is_apart = has_code_apart(f);
    if (!*text || strlen(text) > LONGEST_TEXT)
        return EXIT_USAGE;
    for (uint64_t at = 0, end; at < size; at = end) {
        uint64_t begin = is_apart ? next_code(f, at, &end) : (end = size);
        begin = begin < size ? begin : size;
        if (begin > most)
            return look_through(f, text, at, most) == ELF_YES ? ELF_YES : (int)elf_fail(f, ELF_DAMAGED, "it has more than 4 GiB to look through");
        if (look_through(f, text, at, begin) == ELF_YES)
            return ELF_YES;
    }
    return ELF_NO;
}

int elf_contains(struct elf_file *f, const char *text)
{
    return contains(f, text, f->size);
}

int elf_contains_loaded(struct elf_file *f, const char *text)
{
    return contains(f, text, loaded_size(f));
}

// A string of a file that is being read, and the one that was found in it.
struct release_search {
    const char *start;
    char *found;
    char string[RELEASE_ROOM];
    size_t length;
    bool is_release;
};

// Ends the string. Returns false if it is another release than the one that was found.
static bool end_string(struct release_search *search)
{
    bool fits = search->is_release && search->length < RELEASE_ROOM &&
                memchr(search->string, '.', search->length) && strncmp(search->string, search->start, strlen(search->start)) == 0;
    search->string[search->length < RELEASE_ROOM ? search->length : 0] = '\0';
    search->length = 0;
    search->is_release = true;
    if (!fits)
        return true;
    if (*search->found)
        return strcmp(search->found, search->string) == 0;
    strcpy(search->found, search->string);
    return true;
}

static bool see_byte(struct release_search *search, char byte)
{
    if (byte == '\0')
        return end_string(search);
    search->is_release &= (byte >= '0' && byte <= '9') || byte == '.';
    if (search->length < RELEASE_ROOM)
        search->string[search->length++] = byte;
    return true;
}

int elf_only_release(struct elf_file *f, const char *start, char release[RELEASE_ROOM])
{
    static char bytes[BLOCK];
    const off_t most = (off_t)4 << 30;
    struct release_search search = { .start = start, .found = release, .is_release = true };
    ssize_t read;
    *release = '\0';
    for (off_t at = 0; (read = pread(f->fd, bytes, BLOCK, at)) > 0; at += read) {
        if (at > most)
            return elf_fail(f, ELF_DAMAGED, "it has more than 4 GiB to look through");
        for (ssize_t i = 0; i < read; i++)
            if (!see_byte(&search, bytes[i]))
                return ELF_NO;
    }
    return *release ? ELF_YES : ELF_NO;
}
