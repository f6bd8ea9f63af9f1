// SPDX-License-Identifier: BSD-3-Clause
#include "allocate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/file.h"

void *allocated(void *memory)
{
    if (memory)
        return memory;
    fputs("mpi-adapter: out of memory; free some and try again\n", stderr);
    exit(ELF_UNREADABLE);
}

char *copy(const char *text) { return allocated(strdup(text)); }

// The room doubles whenever the count is a power of two.
void *grown(void *items, size_t count, size_t size)
{
    if (count & (count - 1))
        return items;
    // No overflow: half of these bytes are there already. reallocarray() would need glibc 2.26.
    return allocated(realloc(items, (count ? 2 * count : 1) * size));
}
