// SPDX-License-Identifier: BSD-3-Clause
#include "elf-contains.h"

#include <string.h>
#include <unistd.h>

static bool has_text(const char *bytes, size_t size, const char *text)
{
    return memmem(bytes, size, text, strlen(text)) != NULL;
}

enum { BLOCK = 1 << 16, LONGEST_TEXT = 200 };

// Looks for a text from one place of the file to another, or to its end.
static int look_through(struct elf_file *f, const char *text, uint64_t begin, uint64_t end)
{
    // Each block begins with the end of the one before it, in which the text may begin.
    static char bytes[LONGEST_TEXT + BLOCK];
    const off_t most = (off_t)4 << 30;
    size_t kept = 0;
    ssize_t read;
    for (off_t at = (off_t)begin; (uint64_t)at < end && (read = pread(f->fd, bytes + kept, BLOCK, at)) > 0; at += read) {
        size_t size = kept + (size_t)read;
        if (has_text(bytes, size, text))
            return ELF_YES;
        if (at > most)
            return elf_fail(f, ELF_DAMAGED, "it has more than 4 GiB to look through");
        kept = size < LONGEST_TEXT ? size : LONGEST_TEXT;
        memmove(bytes, bytes + size - kept, kept);
    }
    return ELF_NO;
}

// Whether a segment is loaded with none of these flags.
static bool is_loaded_without(const Elf64_Phdr *segment, unsigned flags)
{
    return segment->p_type == PT_LOAD && !(segment->p_flags & flags);
}

int elf_contains(struct elf_file *f, const char *text)
{
    bool is_apart = false;
    int code = ELF_NO;
    if (!*text || strlen(text) > LONGEST_TEXT)
        return EXIT_USAGE;
    // A linker that puts constants into a segment of their own has put all texts there, or among variables. Code is most of a library.
    for (size_t i = 0; i < f->header.e_phnum; i++) {
        Elf64_Phdr segment = elf_segment(f, i);
        is_apart = is_apart || is_loaded_without(&segment, PF_X | PF_W);
    }
    if (!is_apart)
        return look_through(f, text, 0, UINT64_MAX);
    for (size_t i = 0; i < f->header.e_phnum && code == ELF_NO; i++) {
        Elf64_Phdr segment = elf_segment(f, i);
        if (is_loaded_without(&segment, PF_X))
            code = look_through(f, text, segment.p_offset, segment.p_offset + segment.p_filesz);
    }
    return code;
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
