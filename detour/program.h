/* SPDX-License-Identifier: BSD-3-Clause */
/* An object that may have an MPI linked in: the executable or a library of this process, or a file that is looked at. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <link.h>
#include <stdbool.h>

#include "elf/file.h"

struct program {
    const char *path;
    struct elf_file file;       /* open if is_readable */
    struct elf_file debug;      /* open if has_debug: a file that has its names, which it was stripped of */
    bool has_debug;
    bool is_readable;           /* its file is there, and is the one that was loaded */
    bool is_stripped;           /* it has no names but those that it exports */
    bool is_library;            /* of this process */
    bool is_file;               /* nothing of it is in memory: code is read from the file */
    uintptr_t base;             /* what the loader adds to its addresses */
    const ElfW(Phdr) *segments; /* in memory */
    size_t segment_count;
};

/* Finds the executable of this process and maps its file. It stays mapped until program_close(). */
void program_open(struct program *);

/* Finds a library that this process has loaded, by its number from 1 on; 0 is the executable, without a path. Returns false if there are not so many. */
bool program_find_library(struct program *, size_t number);

/* Maps its file until program_close(). */
void program_open_library(struct program *);

/* Opens a file, of which nothing is mapped or runs. It is read until program_close(). */
void program_open_file(struct program *, const char *path);

/* Looks for a file with the names of a program that was stripped, as debuggers do: in .build-id of /usr/lib/debug, or beside the program with
 * .debug behind its name. It has to have the same build's mark and sections. Returns whether there is one. */
bool program_open_debug(struct program *);

/* Calls `visit` for each name that the linker knew or, of one that is_stripped, that it exports. */
enum elf_result program_each_symbol(struct program *, bool visit(void *context, const Elf64_Sym *, const char *name), void *context);

/* Closes the files. */
void program_close(struct program *);

/* Returns the segment with these flags (PF_R, PF_X) that has all of these bytes of memory, or null. */
const ElfW(Phdr) *program_segment(const struct program *, uintptr_t address, uint64_t size, unsigned flags);

/* Returns so many bytes of code, or null if the program has no code there. */
const unsigned char *program_code(struct program *, uintptr_t address, uint64_t size);

/* Returns whether a segment that is not written holds this text. */
bool program_contains(struct program *, const char *text);

#endif
