/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers whose each loaded object is. Only the host's objects are recorded, and their records outlive them. The
 * adapter's objects are found by their addresses, and every other object that was examined is the program's. */
#ifndef KNOWN_OBJECTS_H
#define KNOWN_OBJECTS_H

#include <stddef.h>

#include "isolate/owner.h"
#include "process/linked.h"

struct known_object {
    struct ownership is;
    const ElfW(Dyn) *dynamic; /* no two loaded objects share it */
    const char *path;         /* the dynamic linker's name; null unless it is recorded, and for one that has NO_SLOTS */
    unsigned long long seen;  /* how many objects had been loaded when it was last there, or NEVER_UNLOADED */
    int slots;                /* how many were replaced */
};

#define NEVER_UNLOADED (~0ull)

/* Copies the record of an object in the list. Without a record its owner is UNDECIDED. The record of an object that may have been
 * unloaded since does not count: the object is the same if it is older than linked_since() says of `seen`. */
void known_read(const gotswap_list *list, size_t index, struct known_object *object);

/* Copies the record of the object that has, or last had, this dynamic section; returns 0 if there is none. */
int known_record(const ElfW(Dyn) *dynamic, struct known_object *object);

/* Records an object of the host's, or changes its record. The path is copied. */
void known_put(const struct known_object *object);

/* Notes which recorded objects are still the same in this list. */
void known_refresh(const gotswap_list *list);

/* Copies the record of this number, in the order in which objects were first recorded; returns 0 after the last. */
int known_at(size_t number, struct known_object *object);

/* known_examined() returns how many objects had been loaded when all of them had been examined; known_examined_until()
 * raises that number. */
unsigned long long known_examined(void);
void known_examined_until(unsigned long long loaded);

#endif
