/* SPDX-License-Identifier: BSD-3-Clause */
/* gotswap's reader of files: the file that seems to be the one that was loaded, at a place where its bytes are. */
#include "fuzz.h"
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PLACE = 1 << 20 };

/* Everything that the reader found must lie in memory: an image's user reads its slots and writes to them. */
static void use(const struct image *image, const struct region *region)
{
    volatile uintptr_t sum = 0;
    for (size_t i = 0; i < image->count; i++) {
        const struct slot *slot = &image->slots[i];
        if (slot->address < region->start || slot->address > region->end - sizeof(uintptr_t))
            abort();
        sum += gotswap_content(slot->address) + strlen(slot->symbol);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char *memory;
    struct image image;
    if (!memory)
        memory = mmap(NULL, PLACE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (size > PLACE)
        return 0;
    memset(memory, 0, PLACE);
    memcpy(memory, data, size);
    struct region region = { (uintptr_t)memory, (uintptr_t)memory + PLACE, 0, PROT_READ | PROT_WRITE | PROT_EXEC,
                             fuzz_file(0, data, size) };
    const struct maps maps = { NULL, &region, 1 };
    if (gotswap_image_read(&image, &maps, &region) == GOTSWAP_OK)
        use(&image, &region);
    gotswap_image_free(&image);
    return 0;
}
