/* SPDX-License-Identifier: BSD-3-Clause */
/* The objects that the dynamic linker has loaded, and what their dynamic sections say. */
#ifndef LINKED_H
#define LINKED_H

#include <link.h>
#include <stddef.h>

struct linked {
    const char *path; /* "" for the executable */
    const void *base; /* the first byte in memory */
    const void *end;
    ElfW(Addr) bias; /* added to an address in the file gives the one in memory */
    const ElfW(Dyn) *dynamic;
    const char *strings; /* the string table, or null */
    size_t strings_size;
};

/* Shows each object, in the order of loading, until `visit` returns something else than 0. The dynamic
 * linker's list is locked meanwhile: `visit` may not load, unload or look up anything. */
void linked_each(int (*visit)(const struct linked *object, void *context), void *context);

/* How many objects have been loaded, and unloaded, so far. */
void linked_counts(unsigned long long *loaded, unsigned long long *unloaded);

/* True if the object was linked against a library that a colon-separated list names. */
int linked_needs(const struct linked *object, const char *list);

/* True if the string table has the text: nothing that lacks the name of a symbol can refer to it. */
int linked_mentions(const struct linked *object, const char *text);

/* True if `is_wanted` is of one of the words that relocations fill with the address of a symbol; it gets
 * the symbol's name and what the word holds, or null for a word that is not aligned. */
int linked_has_slot(const struct linked *object,
                    int (*is_wanted)(const char *symbol, const void *content, const void *context), const void *context);

/* The last part of a path. */
const char *linked_file(const char *path);

/* True if the `length` characters at `part` are one of the parts of a colon-separated list. */
int is_listed(const char *list, const char *part, size_t length);

#endif
