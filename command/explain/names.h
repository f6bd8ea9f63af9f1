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

void names_add(struct names *names, const char *name);

// After the last was added, before names_have() is called.
void names_sort(struct names *names);
bool names_have(const struct names *names, const char *name);

void names_free(struct names *names);

#endif
