/* SPDX-License-Identifier: BSD-3-Clause */
/* Which addresses are the adapter's: a pair is a folder of libraries. */
#ifndef ADAPTER_PARTS_H
#define ADAPTER_PARTS_H

#include "process/linked.h"

/* Takes those of the objects from number `first` on for parts of the adapter that lie in its folder and
 * have the name of a library of the application's MPI. */
void adapter_parts_add(const gotswap_list *list, size_t first);

/* A library of the adapter, which is never unloaded. */
struct adapter_part {
    const void *begin, *end;
    const char *path;
    void *handle; /* null until it is needed */
};

/* The part that has the address, or null. */
const struct adapter_part *adapter_part_of(const void *address);

/* True if an address is the adapter's own. */
int is_adapter(const void *address);

/* The adapter's own procedure of this name, or null. */
void *adapter_procedure(const char *symbol);

#endif
