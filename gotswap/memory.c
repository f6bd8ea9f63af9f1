/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the slots of a loaded object from its memory.  Trusts what the loader
 * has followed: segments, tables, and the addresses of relocations.  Checks
 * symbols and their names against the object's bounds.
 */
#include "internal.h"

#include <stdlib.h>
#include <sys/mman.h>

static int add_slot(const gotswap_slot *word, void *context)
{
    if (!word->type)
        return GOTSWAP_OK;
    struct slot *slot = gotswap_slots_add(context);
    if (!slot)
        return gotswap_fail_memory();
    *slot = (struct slot){
        .symbol = word->symbol,
        .address = (uintptr_t)word->slot,
        .lazy = word->bound ? 0 : (uintptr_t)word->value,
        .addend = word->addend,
        .type = word->type,
        .imported = word->imported,
    };
    return GOTSWAP_OK;
}

static void add_region(struct maps *segments, uintptr_t start, uintptr_t end, int prot)
{
    if (start < end)
        segments->regions[segments->count++] =
            (struct region){.start = start, .end = end, .prot = prot, .path = ""};
}

static int segment_protection(const Elf64_Phdr *segment)
{
    return (segment->p_flags & PF_R ? PROT_READ : 0) | (segment->p_flags & PF_W ? PROT_WRITE : 0) |
           (segment->p_flags & PF_X ? PROT_EXEC : 0);
}

static uintptr_t page_of(uintptr_t address)
{
    return address & ~(gotswap_page_size() - 1);
}

/* Reads the segments with their protections. The part that is read-only after relocation (RELRO) splits its segment. */
static int read_segments(const struct dl_phdr_info *info, struct maps *segments)
{
    uintptr_t low = 0;
    uintptr_t high = 0;
    segments->regions = malloc((3 * (size_t)info->dlpi_phnum + 1) * sizeof *segments->regions);
    if (!segments->regions)
        return gotswap_fail_memory();
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const Elf64_Phdr *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_GNU_RELRO) {
            low = page_of(start);
            high = page_of(start + segment->p_memsz);
        }
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const Elf64_Phdr *segment = &info->dlpi_phdr[i];
        uintptr_t start = page_of(info->dlpi_addr + segment->p_vaddr);
        uintptr_t end = page_of(info->dlpi_addr + segment->p_vaddr + segment->p_memsz + gotswap_page_size() - 1);
        if (segment->p_type != PT_LOAD)
            continue;
        if (low < high && low >= start && low < end) {
            add_region(segments, start, low, segment_protection(segment));
            add_region(segments, low, high < end ? high : end, PROT_READ);
            start = high;
        }
        add_region(segments, start, end, segment_protection(segment));
    }
    return GOTSWAP_OK;
}

int gotswap_image_read_memory(struct image *image, const struct dl_phdr_info *info)
{
    const gotswap_linked object = gotswap_linked_describe(info);
    struct slot_list list = {0};
    *image = (struct image){.start = (uintptr_t)object.base, .end = (uintptr_t)object.end};
    if (!object.strings || !gotswap_linked_table(&object, DT_SYMTAB))
        return gotswap_fail(GOTSWAP_EELF, "%s: no dynamic symbols", object.name);
    int code = read_segments(info, &image->segments);
    if (!code)
        code = gotswap_each_word(&object, add_slot, &list);
    if (code) {
        free(list.slots);
        return code;
    }
    /* The names stay in the object's memory, which its holder keeps. */
    image->slots = list.slots;
    image->count = list.count;
    return GOTSWAP_OK;
}
