/* SPDX-License-Identifier: BSD-3-Clause */
/* gotswap's reader of memory. What the dynamic linker follows itself while it loads an object is right here as there,
 * or the program would have ended: its segments, the places of its tables and of what relocations fill. What it
 * follows only when a symbol is looked for may be anything: the symbols and names of slots that are bound lazily, and the
 * hash tables. */
#include "fuzz.h"
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PLACE = 1 << 18, SEGMENTS = 16 };

static char *memory;

/* Loads the file's segments, as far as they fit. */
static int load(const uint8_t *data, size_t size, struct dl_phdr_info *info)
{
    static Elf64_Phdr segments[SEGMENTS];
    Elf64_Ehdr header;
    memset(memory, 0, PLACE);
    if (size < sizeof header)
        return -1;
    memcpy(&header, data, sizeof header);
    if (header.e_phoff > size || header.e_phnum > SEGMENTS || header.e_phnum * sizeof *segments > size - header.e_phoff)
        return -1;
    memcpy(segments, data + header.e_phoff, header.e_phnum * sizeof *segments);
    for (int i = 0; i < header.e_phnum; i++) {
        const Elf64_Phdr *segment = &segments[i];
        if (segment->p_memsz > PLACE || segment->p_vaddr > PLACE - segment->p_memsz || segment->p_filesz > segment->p_memsz ||
            segment->p_offset > size || segment->p_filesz > size - segment->p_offset)
            return -1;
        if (segment->p_type == PT_LOAD)
            memcpy(memory + segment->p_vaddr, data + segment->p_offset, segment->p_filesz);
    }
    *info = (struct dl_phdr_info){ .dlpi_addr = (uintptr_t)memory, .dlpi_name = "object", .dlpi_phdr = segments,
                                   .dlpi_phnum = header.e_phnum };
    return 0;
}

/* Whether the object has this much from an address of its own on. */
static int has(const gotswap_linked *object, const void *address, uint64_t size)
{
    uintptr_t inside = (uintptr_t)address - (uintptr_t)object->base;
    uintptr_t all = (uintptr_t)object->end - (uintptr_t)object->base;
    return inside <= all && size <= all - inside;
}

static int has_dynamic(const gotswap_linked *object)
{
    const Elf64_Dyn *entry = object->dynamic;
    if (!entry || (uintptr_t)entry % sizeof(uint64_t))
        return 0;
    while (has(object, entry, sizeof *entry))
        if (entry++->d_tag == DT_NULL)
            return 1;
    return 0;
}

/* Whether the loader would come through the table: it reads each relocation, and adds to what lies at its offset. */
static int has_relocations(const gotswap_linked *object, Elf64_Sxword tag, Elf64_Sxword size_tag)
{
    const Elf64_Rela *relocation = gotswap_linked_table(object, tag);
    uint64_t size = gotswap_linked_value(object, size_tag);
    if (!relocation || size == 0)
        return 1;
    if ((uintptr_t)relocation % sizeof(uint64_t) || !has(object, relocation, size))
        return 0;
    for (uint64_t i = 0; i < size / sizeof *relocation; i++)
        if (!has(object, (void *)(object->bias + relocation[i].r_offset), sizeof(uintptr_t)))
            return 0;
    return 1;
}

static int is_loadable(const gotswap_linked *object)
{
    return object->end && has_dynamic(object) && has_relocations(object, DT_RELA, DT_RELASZ) &&
           has_relocations(object, DT_JMPREL, DT_PLTRELSZ) &&
           has(object, gotswap_linked_table(object, DT_SYMTAB), sizeof(Elf64_Sym)) &&
           (uintptr_t)gotswap_linked_table(object, DT_SYMTAB) % sizeof(uint64_t) == 0 && has(object, object->strings, 0);
}

static void use(const struct dl_phdr_info *info, const gotswap_linked *object)
{
    static const long tags[] = { DT_NEEDED, DT_SONAME, DT_RUNPATH };
    volatile size_t sum = gotswap_defined(object, "block_", NULL) != NULL;
    struct image image;
    const char *text;
    if (gotswap_image_read_memory(&image, info) == GOTSWAP_OK)
        for (size_t i = 0; i < image.count; i++)
            sum += strlen(image.slots[i].symbol) + gotswap_content(image.slots[i].address) +
                   (gotswap_defined(object, image.slots[i].symbol, NULL) != NULL);
    gotswap_image_free(&image);
    for (size_t tag = 0; tag < sizeof tags / sizeof *tags; tag++)
        for (size_t i = 0; (text = gotswap_string(object, tags[tag], i)); i++)
            sum += strlen(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dl_phdr_info info;
    if (!memory) {
        memory = mmap(NULL, PLACE + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(memory + PLACE, 4096, PROT_NONE);
    }
    if (load(data, size, &info) != 0)
        return 0;
    const gotswap_linked object = gotswap_linked_locate(&info);
    if (!has_dynamic(&object))
        return 0;
    const gotswap_linked described = gotswap_linked_describe(&info);
    if (is_loadable(&described))
        use(&info, &described);
    return 0;
}
