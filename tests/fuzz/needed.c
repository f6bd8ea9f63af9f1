/* SPDX-License-Identifier: BSD-3-Clause */
/* The adapter's reader of what a file needs. */
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
    (void)needed_each(fuzz_file(0, data, size), measure, NULL);
    return 0;
}
