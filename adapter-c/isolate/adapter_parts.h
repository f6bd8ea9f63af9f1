/* SPDX-License-Identifier: BSD-3-Clause */
/* The adapter's own libraries, which lie in the pair's folder, and their addresses. */
#ifndef ADAPTER_PARTS_H
#define ADAPTER_PARTS_H

#include "process/linked.h"

/* Looks for parts of the adapter among the objects from index `first` on: they lie in its folder and have the name of a
 * library of the application's MPI. To be called under the lock of linked_look(). */
void adapter_parts_add(const gotswap_list *list, size_t first);

/* One of the adapter's libraries, which are never unloaded. */
struct adapter_part {
    const void *begin, *end;
    const char *path;
    void *handle; /* from dlopen(); null until a symbol is looked for */
};

/* Returns the part that has the address, or null. */
const struct adapter_part *adapter_part_of(const void *address);

/* Returns whether an address is the adapter's own. */
int is_adapter(const void *address);

/* Returns the adapter's procedure of this name, or null. Not to be called under the lock of linked_look(). */
void *adapter_procedure(const char *symbol);

#endif
