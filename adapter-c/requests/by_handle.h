/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries of a hash table whose key is a handle of the host's: its bits, which handles of several classes may share, and
 * its class. */
#ifndef BY_HANDLE_H
#define BY_HANDLE_H

#include "convert/index.h"

struct by_handle {
    struct index_entry entry; /* by the handle's bits */
    int handle_class;
};

/* Returns the link that leads to the entry of a handle, or to null. */
INLINE struct index_entry **find_by_handle(struct index *index, int handle_class, intptr_t bits)
{
    struct index_entry **link = index_find(index, bits);
    while (*link && ((struct by_handle *)*link)->handle_class != handle_class)
        link = index_from(&(*link)->next, bits);
    return link;
}

#endif
