/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes code into the program. */
#ifndef PATCH_H
#define PATCH_H

#include "code.h"
#include "program.h"

struct patch {
    uintptr_t at;
    size_t size;
    unsigned char bytes[CODE_TELL];
};

/* Writes all patches. No memory is writable and executable at a time. Refuses the program if this process may not change code. */
void patch_write(const struct program *, const struct patch *patches, size_t count);

#endif
