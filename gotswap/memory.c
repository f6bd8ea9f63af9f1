/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the slots of a loaded object from its memory.  The loader has followed
 * the same tables, so that they are trusted.
 */
#include "arch.h"
#include "internal.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Where an object's relocations and their symbols are. */
struct object {
    uintptr_t bias;
    uintptr_t start;
    uintptr_t end;
    const Elf64_Sym *symbols;
    const char *strings;
};

static uint64_t dynamic_value(const struct dl_phdr_info *info, Elf64_Sxword tag)
{
    for (const Elf64_Dyn *d = gotswap_loaded_dynamic(info); d->d_tag != DT_NULL; d++)
        if (d->d_tag == tag)
            return d->d_un.d_val;
    return 0;
}

/*
 * What a lazy slot holds that is not resolved: an address in the object's own
 * PLT.  The only other one of its own is that of a symbol it defines.
 */
static uintptr_t lazy_content(const struct object *object, const Elf64_Sym *symbol,
                              const struct slot *slot)
{
    uintptr_t content = gotswap_content(slot);
    bool inside = content >= object->start && content < object->end;
    bool own = !slot->imported && (content == object->bias + symbol->st_value ||
                                   ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC);
    return inside && !own ? content : 0;
}

static int add_slots(const struct object *object, struct slot_list *list,
                     const Elf64_Rela *relocations, size_t count)
{
    for (size_t i = 0; relocations && i < count; i++) {
        const Elf64_Rela *relocation = &relocations[i];
        const Elf64_Sym *symbol = &object->symbols[ELF64_R_SYM(relocation->r_info)];
        int type = gotswap_slot_type(relocation);
        if (!type || symbol == object->symbols || !object->strings[symbol->st_name])
            continue;
        struct slot *slot = gotswap_slots_add(list);
        if (!slot)
            return gotswap_fail_memory();
        *slot = (struct slot){
            .symbol = object->strings + symbol->st_name,
            .address = object->bias + relocation->r_offset,
            .addend = type == GOTSWAP_ABSOLUTE ? relocation->r_addend : 0,
            .type = type,
            .imported = symbol->st_shndx == SHN_UNDEF,
        };
        if (type == GOTSWAP_JUMP_SLOT)
            slot->lazy = lazy_content(object, symbol, slot);
    }
    return GOTSWAP_OK;
}

static int read_slots(const struct dl_phdr_info *info, const struct object *object,
                      struct slot_list *list)
{
    const Elf64_Rela *rela = gotswap_loaded_table(info, DT_RELA);
    const Elf64_Rela *jmprel = gotswap_loaded_table(info, DT_JMPREL);
    size_t count = dynamic_value(info, DT_RELASZ) / sizeof *rela;
    /* The size of the first table may count the second one, which then ends it. */
    if (rela && jmprel >= rela && jmprel < rela + count)
        count = (size_t)(jmprel - rela);
    int code = add_slots(object, list, rela, count);
    return code ? code : add_slots(object, list, jmprel, dynamic_value(info, DT_PLTRELSZ) / sizeof *rela);
}

static void add_region(struct maps *segments, uintptr_t start, uintptr_t end, int prot)
{
    if (start < end)
        segments->regions[segments->count++] =
            (struct region){.start = start, .end = end, .prot = prot, .path = ""};
}

static int protection(const Elf64_Phdr *segment)
{
    return (segment->p_flags & PF_R ? PROT_READ : 0) | (segment->p_flags & PF_W ? PROT_WRITE : 0) |
           (segment->p_flags & PF_X ? PROT_EXEC : 0);
}

static uintptr_t page_of(uintptr_t address)
{
    return address & ~(gotswap_page_size() - 1);
}

/* The segments with their protections; what is read-only after relocation splits its segment. */
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
            add_region(segments, start, low, protection(segment));
            add_region(segments, low, high < end ? high : end, PROT_READ);
            start = high;
        }
        add_region(segments, start, end, protection(segment));
    }
    return GOTSWAP_OK;
}

int gotswap_image_read_memory(struct image *image, const struct dl_phdr_info *info)
{
    struct object object = {
        .bias = info->dlpi_addr,
        .symbols = gotswap_loaded_table(info, DT_SYMTAB),
        .strings = gotswap_loaded_table(info, DT_STRTAB),
    };
    struct slot_list list = {0};
    *image = (struct image){0};
    if (!object.symbols || !object.strings)
        return gotswap_fail(GOTSWAP_EELF, "%s: no dynamic symbols", info->dlpi_name);
    gotswap_loaded_extent(info, &object.start, &object.end);
    image->start = object.start;
    image->end = object.end;
    int code = read_segments(info, &image->segments);
    if (!code)
        code = read_slots(info, &object, &list);
    if (!code)
        code = gotswap_image_take(image, &list);
    if (code)
        free(list.slots);
    return code;
}
