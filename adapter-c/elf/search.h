/* SPDX-License-Identifier: BSD-3-Clause */
/* The search of the GNU C library's dynamic linker for a library, ld.so(8), by reading files: nothing is loaded or started. It is the one of
 * the command, and of the adapter for what the linker does not tell it. Folders that glibc before 2.37 has for kinds of processors (tls/,
 * x86_64/, haswell/) are not searched. Of ld.so.cache, the linker tries one entry, and this search each. */
#ifndef ELF_SEARCH_H
#define ELF_SEARCH_H

#include <elf.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "elf/loader_cache.h"

/* A file that needs a library, and the one that needs this file: their DT_RPATHs are searched, too. Texts are null where there is none. */
struct elf_asker {
    const char *path, *rpath, *runpath;
    bool no_default;                /* DF_1_NODEFLIB */
    const struct elf_asker *by;
};

/* A process, as far as it matters for the search. */
struct elf_search {
    const char *root;               /* what its dynamic linker takes for /; "" for / itself */
    const char *library_path;       /* LD_LIBRARY_PATH, or null */
    const char *program;            /* whose folder is $ORIGIN there */
    const char *defaults;           /* folders that are searched for everyone, with colons between; null: those beneath the root */
    Elf64_Half machine;             /* EM_...; 0: this one */
    unsigned char class;            /* ELFCLASS..., with the machine */
    struct loader_cache cache;      /* read when it is first needed */
    bool has_cache;
};

/* Takes a file, if it is one that fits: returns whether it has. */
typedef bool elf_take(const char *path, void *context);

/* Gives `take` the files by that name, in the order in which the linker looks for them, until it takes one. Returns whether it has. A name
 * with a slash is a path. */
bool elf_find(struct elf_search *, const struct elf_asker *by, const char *name, elf_take *take, void *context);

/* Gives it those in the folders of one list, as a DT_RPATH of the file `of` would be searched. Colons separate folders. */
bool elf_find_in(const struct elf_search *, const char *folders, const char *of, const char *name, elf_take *take, void *context);

/* Gives it those of one folder: below its glibc-hwcaps for this processor, the best first, and in it. */
bool elf_find_below(const struct elf_search *, const char *folder, const char *name, elf_take *take, void *context);

/* Writes text[0..length) with $ORIGIN, $LIB and $PLATFORM replaced, as they are in the file `of`. Returns false if that is too long. */
bool elf_expand(const struct elf_search *, const char *of, const char *text, size_t length, char result[PATH_MAX]);

/* Frees what the search has read. */
void elf_search_end(struct elf_search *);

#endif
