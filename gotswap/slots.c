/* SPDX-License-Identifier: BSD-3-Clause */
/* The lists of slots that image.c and memory.c read. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

struct slot *gotswap_slots_add(struct slot_list *found)
{
    if (found->count == found->room) {
        size_t room = found->room ? 2 * found->room : 256;
        struct slot *larger = realloc(found->slots, room * sizeof *larger);
        if (!larger)
            return NULL;
        found->slots = larger;
        found->room = room;
    }
    return &found->slots[found->count++];
}

int gotswap_image_take(struct image *image, const struct slot_list *list)
{
    size_t size = 1;
    for (size_t i = 0; i < list->count; i++)
        size += strlen(list->slots[i].symbol) + 1;
    image->names = malloc(size);
    if (!image->names)
        return gotswap_fail_memory();
    char *at = image->names;
    for (size_t i = 0; i < list->count; i++) {
        size_t length = strlen(list->slots[i].symbol) + 1;
        list->slots[i].symbol = memcpy(at, list->slots[i].symbol, length);
        at += length;
    }
    image->slots = list->slots;
    image->count = list->count;
    return GOTSWAP_OK;
}

void gotswap_image_free(struct image *image)
{
    free(image->slots);
    free(image->names);
    gotswap_maps_free(&image->segments);
    *image = (struct image){0};
}
