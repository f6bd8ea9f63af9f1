/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads thousands of damaged copies of a library's file in place of the file
 * itself: each must give a code and a message, and none may crash.
 * Arguments: the loaded library, the copy to write.
 */
#include "check.h"
#include "internal.h"

#include <dlfcn.h>
#include <elf.h>
#include <string.h>

enum { ROUNDS = 6000, LARGEST = 1 << 20 };

static unsigned char original[LARGEST];
static unsigned char damaged[LARGEST];

/* The same numbers in every run. */
static unsigned next_random(void)
{
    static unsigned state = 12345;
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static size_t read_original(const char *path)
{
    FILE *file = fopen(path, "rb");
    CHECK(file);
    size_t size = fread(original, 1, sizeof original, file);
    fclose(file);
    CHECK(size > 4096 && size < sizeof original);
    return size;
}

static void write_copy(const char *path, size_t size)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(damaged, 1, size, file) == size && fclose(file) == 0);
}

/* Where damage matters: the headers, the tables at the front and the dynamic section. */
static size_t place(size_t size, size_t dynamic)
{
    switch (next_random() % 4) {
    case 0: return next_random() % 512;
    case 1: return next_random() % 4096;
    case 2: return dynamic + next_random() % 512;
    default: return next_random() % size;
    }
}

static size_t find_dynamic(size_t size)
{
    for (size_t at = 4096; at + 16 < size; at += 8)
        if (original[at] == DT_NEEDED && original[at + 16] == DT_NEEDED)
            return at;
    return 4096;
}

int main(int argc, char **argv)
{
    CHECK(argc == 3 && dlopen(argv[1], RTLD_NOW));
    size_t size = read_original(argv[1]);
    size_t dynamic = find_dynamic(size);
    struct loaded_list list;
    size_t codes[GOTSWAP_EINVAL + 1] = {0};
    CHECK(gotswap_loaded_read(&list) == GOTSWAP_OK);
    const struct loaded *object = gotswap_loaded_find(&list, argv[1]);
    CHECK(object);
    struct region region = *gotswap_maps_find(&list.maps, object->base);
    region.path = argv[2];
    for (int i = 0; i < ROUNDS; i++) {
        struct image image;
        size_t length = i % 3 ? size : next_random() % size;
        memcpy(damaged, original, size);
        for (unsigned n = next_random() % 4; n > 0; n--)
            damaged[place(size, dynamic) % size] = (unsigned char)next_random();
        write_copy(argv[2], length);
        int code = gotswap_image_read(&image, &list.maps, &region);
        CHECK(code >= 0 && code <= GOTSWAP_EINVAL);
        CHECK(code == 0 || strstr(gotswap_message(), argv[2]));
        codes[code]++;
        gotswap_image_free(&image);
    }
    gotswap_loaded_free(&list);
    CHECK(codes[GOTSWAP_OK] > 0 && codes[GOTSWAP_EELF] > 0 && codes[GOTSWAP_EARCH] > 0);
    CHECK(codes[GOTSWAP_EFILE] > 0);
    return 0;
}
