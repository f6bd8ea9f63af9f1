// SPDX-License-Identifier: BSD-3-Clause
// The libraries that the dynamic loader would load for a file, found by reading files.  The loader itself would start
// programs that the file names: its interpreter, its audit libraries.
#ifndef ELF_CLOSURE_H
#define ELF_CLOSURE_H

#include <stddef.h>

struct closure {
    struct library {
        char *name;     // by which it was asked for
        char *path;     // NULL: not found
    } *libraries;       // breadth first
    size_t count;
    const char *problem;
};

// Reads the closure of the file at `path`, in an environment with these LD_LIBRARY_PATH and LD_PRELOAD, which may be NULL.
// Returns a code of elf-file.h.
int closure_read(struct closure *, const char *path, const char *library_path, const char *preload);

// Frees the closure's members.
void closure_free(struct closure *);

#endif
