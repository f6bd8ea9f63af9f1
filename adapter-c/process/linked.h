/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about the objects that the dynamic linker has loaded, beyond those that gotswap answers. */
#ifndef LINKED_H
#define LINKED_H

#include <link.h>
#include <stddef.h>

#include "gotswap.h"

/* Calls gotswap_look(), under whose lock `use` may ask the dynamic linker for nothing. Ends the process if memory runs out. */
void linked_look(void (*use)(const gotswap_list *list, void *context), void *context);

/* Return gotswap_loads() and gotswap_last(). */
unsigned long long linked_loads(void);
const ElfW(Dyn) *linked_last(void);

/* Lets fork() wait until no thread is within the three functions above. To be called once. */
void linked_across_fork(void);

/* Returns an index into the list: every object ahead of it was there when `loaded` objects had been loaded. Objects from it
 * on may be older, too, if newer ones have been unloaded: this counts back from the end of the list, to which new objects
 * are added. */
size_t linked_since(const gotswap_list *list, unsigned long long loaded);

/* Returns the object of a handle from dlopen(), or null. */
const struct link_map *linked_map(void *handle);

/* Returns whether the address lies in the object. */
static inline int linked_contains(const gotswap_linked *object, const void *address)
{
    return address >= object->base && address < object->end;
}

/* Returns the object that defines the function at this address, or null. An executable that is not position-independent may have the address
 * of a function that it only calls, and dlsym() returns that. */
const struct link_map *linked_definer(const void *address);

/* Returns whether a DT_NEEDED entry with this name leads to the object. */
int linked_is_named(const gotswap_linked *object, const char *name);

/* Returns whether the object was linked against a library whose file a colon-separated list names. */
int linked_needs(const gotswap_linked *object, const char *list);

/* Returns whether the object's string table has the text. An object that lacks a symbol's name cannot refer to it. */
int linked_mentions(const gotswap_linked *object, const char *text);

/* Returns the last part of a path. */
const char *linked_file(const char *path);

/* Returns whether the `length` characters at `part` are one of the parts of a colon-separated list. A part of the list may
 * have one *, which stands for anything. */
int is_listed(const char *list, const char *part, size_t length);

/* Returns whether a name begins with one of the parts of a colon-separated list. */
int begins_listed(const char *list, const char *name);

/* Returns whether a folder's path, of this length, has the form of a pair's folder (.../openmpi-to-mpich) or of one in it. */
int linked_is_pair_folder(const char *path, size_t length);

#endif
