/* SPDX-License-Identifier: BSD-3-Clause */
/* The reader of ld.so.cache. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "elf/loader_cache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char root[128];
    struct loader_cache cache;
    const char *path, *file = fuzz_file(0, data, size);
    volatile size_t sum = 0;
    if (!root[0]) {
        fuzz_link("ld.so.cache", file);
        fuzz_link("etc", ".");
        snprintf(root, sizeof root, "%s", fuzz_folder());
    }
    loader_cache_open(&cache, root);
    for (int is_plain = 0; is_plain < 2; is_plain++)
        for (size_t i = 0; (path = loader_cache_find(&cache, "libc.so.6", is_plain ? 0 : "x86-64-v3", &i));)
            sum += strlen(path);
    loader_cache_close(&cache);
    return 0;
}
