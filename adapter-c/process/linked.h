/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about the objects that the dynamic linker has loaded, beyond those that gotswap answers. */
#ifndef LINKED_H
#define LINKED_H

#include <link.h>
#include <stddef.h>

#include "gotswap.h"

/* Calls gotswap_look(), under whose lock `use` may ask the dynamic linker for nothing. Ends the process if memory runs out. */
void linked_look(void (*use)(const gotswap_list *list, void *context), void *context);

/* gotswap_loads() and gotswap_last(), which see. */
unsigned long long linked_loads(void);
const ElfW(Dyn) *linked_last(void);

/* To be called once: from then on fork() waits until no thread is within these three. */
void linked_across_fork(void);

/* Returns an index into the list: every object ahead of it was there when `loaded` objects had been loaded. Objects from it on may
 * be older, too, if newer ones have been unloaded: this counts back from the end of the list, to which new objects are added. */
size_t linked_since(const gotswap_list *list, unsigned long long loaded);

/* Returns the object of a handle from dlopen(), or null. */
const struct link_map *linked_map(void *handle);

/* True if a DT_NEEDED entry with this name leads to the object. */
int linked_is_named(const gotswap_linked *object, const char *name);

/* True if the object was linked against a library whose file a colon-separated list names. */
int linked_needs(const gotswap_linked *object, const char *list);

/* True if the object's string table has the text. An object that lacks a symbol's name cannot refer to it. */
int linked_mentions(const gotswap_linked *object, const char *text);

/* Returns the last part of a path. */
const char *linked_file(const char *path);

/* True if the `length` characters at `part` are one of the parts of a colon-separated list. One * in a part of the list stands for
 * anything. */
int is_listed(const char *list, const char *part, size_t length);

/* True if this path of a folder, of this length, has the form of a pair's own, or of one in it: .../openmpi-to-mpich. */
int linked_is_pair_folder(const char *path, size_t length);

#endif
