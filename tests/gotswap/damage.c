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

/* Picks an offset at which damage matters: in the headers, the tables at the front, or the dynamic section. */
static size_t place(size_t size, size_t dynamic)
{
    switch (next_random() % 4) {
    case 0: return next_random() % 512;
    case 1: return next_random() % 4096;
    case 2: return dynamic + next_random() % 512;
    default: return next_random() % size;
    }
}

static size_t find_dynamic(void)
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    memcpy(&header, original, sizeof header);
    for (size_t i = 0; i < header.e_phnum; i++) {
        memcpy(&segment, original + header.e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type == PT_DYNAMIC)
            return segment.p_offset;
    }
    CHECK(!"there is a dynamic section");
    return 0;
}

/* Every slot that is read from a damaged file must still be inside of the object. */
static void check_slots(const struct image *image)
{
    for (size_t i = 0; i < image->count; i++) {
        CHECK(image->slots[i].address >= image->start);
        CHECK(image->slots[i].address <= image->end - sizeof(void *));
    }
}

/* The names of the symbols end before their last null byte. */
static void names_without_end(const char *copy, size_t size, size_t dynamic,
                              const struct loaded_list *list, const struct region *region)
{
    struct image image;
    Elf64_Dyn entry = {0};
    for (; entry.d_tag != DT_STRSZ; dynamic += sizeof entry)
        memcpy(&entry, original + dynamic, sizeof entry);
    entry.d_un.d_val--;
    memcpy(damaged, original, size);
    memcpy(damaged + dynamic - sizeof entry, &entry, sizeof entry);
    write_copy(copy, size);
    CHECK(gotswap_image_read(&image, &list->maps, region) == GOTSWAP_EELF);
    CHECK(strstr(gotswap_message(), "have no end"));
}

int main(int argc, char **argv)
{
    CHECK(argc == 3 && dlopen(argv[1], RTLD_NOW));
    size_t size = read_original(argv[1]);
    size_t dynamic = find_dynamic();
    struct loaded_list list;
    size_t codes[GOTSWAP_EINVAL + 1] = {0};
    CHECK(gotswap_loaded_read(&list) == GOTSWAP_OK);
    const struct loaded *object = gotswap_loaded_find(&list, argv[1]);
    CHECK(object);
    struct region region = *gotswap_maps_find(&list.maps, object->base);
    region.path = argv[2];
    names_without_end(argv[2], size, dynamic, &list, &region);
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
        check_slots(&image);
        gotswap_image_free(&image);
    }
    gotswap_loaded_free(&list);
    CHECK(codes[GOTSWAP_OK] > 0 && codes[GOTSWAP_EELF] > 0 && codes[GOTSWAP_EARCH] > 0);
    CHECK(codes[GOTSWAP_EFILE] > 0);
    return 0;
}
