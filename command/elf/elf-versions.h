// SPDX-License-Identifier: BSD-3-Clause
// The versions of symbols that an ELF file defines, and those that it needs of others: GLIBC_2.34 of libc.so.6.
#ifndef ELF_VERSIONS_H
#define ELF_VERSIONS_H

#include "elf/file.h"

struct versions {
    struct version {
        char *library;      // whose it must be; NULL: the file's own
        char *name;
    } *all;
    size_t count;
};

// Reads the versions of the file at `path`, without weak ones, of which the dynamic loader only warns.  Returns a code of
// elf-file.h.
int versions_read(struct versions *, const char *path);

// Frees the versions.
void versions_free(struct versions *);

// Returns whether a file with these versions has the one that another file needs of it.  A file that defines none serves anyone.
bool versions_serve(const struct versions *, const char *name);

#endif
