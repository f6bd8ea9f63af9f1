/* SPDX-License-Identifier: BSD-3-Clause */
/* What the adapter did with the objects it looked at. */
#ifndef KNOWN_H
#define KNOWN_H

#include <stddef.h>

#include "process/linked.h"

struct object {
    const ElfW(Dyn) *dynamic; /* no two loaded objects share it */
    const char *path;         /* the dynamic linker's name; null if the object has no slot of interest */
    unsigned long long seen;  /* how many objects had been loaded when it was last there, or NEVER_UNLOADED */
    int is_bound;             /* all its slots lead to the host */
    int is_below;             /* the host is an adapter, and this is its host's: it binds it */
    int is_tool;              /* its calls go through tools */
    int is_arrival;           /* it was not the host that loaded it */
    int slots;                /* that were replaced */
};

#define NEVER_UNLOADED (~0ull)

/* Copies what is known of an object; 0 if nothing is. What was unloaded stays known, and may come again:
 * an object is the same if it is older than linked_since() says of `seen`. */
int known_find(const ElfW(Dyn) *dynamic, struct object *object);

/* Copies what is known of an object in the list; 0 if nothing is, or if it may be another one by now. */
int known_in(const gotswap_list *list, size_t index, struct object *object);

/* Notes which of the known objects are there, and the same, in this list. */
void known_refresh(const gotswap_list *list);

/* Adds an object, or says something else of it. The path is copied. */
void known_put(const struct object *object);

/* Copies the object of this index, in the order in which they were first seen; 0 if there are fewer. */
int known_at(size_t index, struct object *object);

#endif
