/* SPDX-License-Identifier: BSD-3-Clause */
/* gotswap's reader of /proc/self/maps. */
#include "../../gotswap/maps.c"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct maps maps = { .text = malloc(size + 1) };
    volatile size_t sum = 0;
    memcpy(maps.text, data, size);
    maps.text[size] = '\0';
    if (parse_text(&maps) == GOTSWAP_OK)
        for (size_t i = 0; i < maps.count; i++) {
            const struct region *found = gotswap_maps_find(&maps, maps.regions[i].start);
            sum += strlen(maps.regions[i].path) + (found ? found->offset : 0);
        }
    gotswap_maps_free(&maps);
    return 0;
}
