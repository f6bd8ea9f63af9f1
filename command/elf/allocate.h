// SPDX-License-Identifier: BSD-3-Clause
// Allocation that ends the program if memory runs out.
#ifndef ALLOCATE_H
#define ALLOCATE_H

#include <stddef.h>

// Returns the memory that malloc() or its kin returned; ends the program if that is NULL.
void *allocated(void *memory);

// Returns a copy of the text. The caller frees it.
char *copy(const char *text);

// Returns the array with room for one more item behind `count` of `size` bytes each. `items` is no longer valid.
void *grown(void *items, size_t count, size_t size);

#endif
