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

/* The dynamic linker's list at one time, in the order of loading. */
struct linked_list {
    const struct linked *objects;
    size_t count;
    unsigned long long loaded; /* how many objects have been so far, in all namespaces */
};

/* Hands the list to `use`. It is locked meanwhile: no object is unloaded, and `use` may ask the dynamic
 * linker for nothing (dlopen, dlclose, dlsym, dladdr). An object that another thread is just loading may
 * be in the list before its slots are filled. */
void linked_look(void (*use)(const struct linked_list *list, void *context), void *context);

/* An index into the list: every object ahead of it was there when that many objects had been loaded. An
 * object behind it may be newer. It need not be, for newer ones may have been unloaded: the dynamic linker
 * puts a new object at the end of its list, and this counts back from there. */
size_t linked_since(const struct linked_list *list, unsigned long long loaded);

/* How many objects have been loaded so far, in all namespaces. */
unsigned long long linked_count(void);

/* The object that was loaded last, of those that are there, by its dynamic section. */
const ElfW(Dyn) *linked_last(void);

/* What dlopen() returned, as an object in the dynamic linker's list. */
const struct link_map *linked_map(void *handle);

/* True if the object is what a DT_NEEDED entry with this name leads to. */
int linked_is_named(const struct linked *object, const char *name);

/* The name in the object's DT_NEEDED entry of this index, or null. */
const char *linked_needed(const struct linked *object, size_t index);

/* True if the object was linked against a library whose file a colon-separated list names. */
int linked_needs(const struct linked *object, const char *list);

/* True if the string table has the text: nothing that lacks the name of a symbol can refer to it. */
int linked_mentions(const struct linked *object, const char *text);

/* A word that a relocation fills with the address of a symbol. */
struct linked_slot {
    const char *symbol;
    const void *content; /* null if the word is not aligned */
    int is_lazy;         /* the symbol is looked for at the first call */
};

/* Shows each until `visit` returns something else than 0, and returns that. */
int linked_each_slot(const struct linked *object, int (*visit)(const struct linked_slot *slot, void *context),
                     void *context);

/* The last part of a path. */
const char *linked_file(const char *path);

/* True if the `length` characters at `part` are one of the parts of a colon-separated list. */
int is_listed(const char *list, const char *part, size_t length);

#endif
