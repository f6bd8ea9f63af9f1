// SPDX-License-Identifier: BSD-3-Clause
// Memory, or the end of the program: there is nothing else to do without.
#ifndef ALLOCATE_H
#define ALLOCATE_H

#include <stddef.h>

// Returns the memory that malloc() or its kin returned; ends the program if that is NULL.
void *allocated(void *memory);
char *copy(const char *text);

// Room for one more item behind `count` of `size` bytes each.
void *grown(void *items, size_t count, size_t size);

#endif
