// SPDX-License-Identifier: BSD-3-Clause
// A set of names: filled first, then asked.
#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct names {
    char **items;
    size_t count;
};

// Adds a copy of the name.
void names_add(struct names *names, const char *name);

// Sorts the names.  To be called after the last name was added, and before names_have().
void names_sort(struct names *names);

// Returns whether the set has the name.
bool names_have(const struct names *names, const char *name);

// Frees the names.
void names_free(struct names *names);

#endif
