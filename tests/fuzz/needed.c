/* SPDX-License-Identifier: BSD-3-Clause */
/* The adapter's reader of what a file needs and exports. */
#include "fuzz.h"

#include <string.h>

#include "process/needed.h"

static int measure(const char *name, const void *context)
{
    (void)context;
    return (int)strlen(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[64];
    const char *path = fuzz_file(0, data, size);
    (void)needed_each(path, measure, NULL);
    (void)needed_text(path, "lazy_text", text, sizeof text);
    return 0;
}
