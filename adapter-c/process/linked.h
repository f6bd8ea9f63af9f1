/* SPDX-License-Identifier: BSD-3-Clause */
/* What is asked about the objects that the dynamic linker has loaded, beyond what gotswap reads of them. */
#ifndef LINKED_H
#define LINKED_H

#include <link.h>
#include <stddef.h>

#include "gotswap.h"

/* gotswap_look(), which see; ends the process if memory is lacking. */
void linked_look(void (*use)(const gotswap_list *list, void *context), void *context);

/* gotswap_loads() and gotswap_last(), which see. */
unsigned long long linked_loads(void);
const ElfW(Dyn) *linked_last(void);

/* To be called once: from then on fork() waits until no thread is within these three. */
void linked_across_fork(void);

/* An index into the list: every object ahead of it was there when that many objects had been loaded. An
 * object behind it may be newer. It need not be, for newer ones may have been unloaded: the dynamic linker
 * puts a new object at the end of its list, and this counts back from there. */
size_t linked_since(const gotswap_list *list, unsigned long long loaded);

/* What dlopen() returned, as an object in the dynamic linker's list. */
const struct link_map *linked_map(void *handle);

/* True if the object is what a DT_NEEDED entry with this name leads to. */
int linked_is_named(const gotswap_linked *object, const char *name);

/* True if the object was linked against a library whose file a colon-separated list names. */
int linked_needs(const gotswap_linked *object, const char *list);

/* True if the string table has the text: nothing that lacks the name of a symbol can refer to it. */
int linked_mentions(const gotswap_linked *object, const char *text);

/* The last part of a path. */
const char *linked_file(const char *path);

/* True if the `length` characters at `part` are one of the parts of a colon-separated list. */
int is_listed(const char *list, const char *part, size_t length);

#endif
