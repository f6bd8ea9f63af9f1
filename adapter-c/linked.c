/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "linked.h"

#include <string.h>
#include <unistd.h>

int is_listed(const char *list, const char *part, size_t length)
{
    while (*list) {
        size_t listed = strcspn(list, ":");
        if (listed == length && strncmp(list, part, length) == 0)
            return 1;
        list += listed + (list[listed] == ':');
    }
    return 0;
}

const char *linked_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The value of the first entry with this tag, or 0. */
static ElfW(Xword) dynamic_value(const struct linked *object, ElfW(Sxword) tag)
{
    for (const ElfW(Dyn) *entry = object->dynamic; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag)
            return entry->d_un.d_val;
    return 0;
}

/* The table that the entry with this tag leads to, or null. */
static const void *dynamic_table(const struct linked *object, ElfW(Sxword) tag)
{
    ElfW(Addr) value = dynamic_value(object, tag);
    /* Some loaders relocate these entries in place, others, and the vdso, leave them. */
    if (value && (value < (ElfW(Addr))object->base || value >= (ElfW(Addr))object->end))
        value += object->bias;
    return (const void *)value;
}

static struct linked describe(const struct dl_phdr_info *info)
{
    struct linked object = { info->dlpi_name ? info->dlpi_name : "", (void *)UINTPTR_MAX, 0, info->dlpi_addr, 0, 0, 0 };
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        const char *at = (const char *)(info->dlpi_addr + segment->p_vaddr);
        if (segment->p_type == PT_DYNAMIC)
            object.dynamic = (const ElfW(Dyn) *)(const void *)at;
        if (segment->p_type != PT_LOAD)
            continue;
        if (at < (const char *)object.base)
            object.base = at - (uintptr_t)at % (uintptr_t)getpagesize();
        if (at + segment->p_memsz > (const char *)object.end)
            object.end = at + segment->p_memsz;
    }
    object.strings = dynamic_table(&object, DT_STRTAB);
    object.strings_size = dynamic_value(&object, DT_STRSZ);
    return object;
}

struct visitor {
    int (*visit)(const struct linked *object, void *context);
    void *context;
};

static int show(struct dl_phdr_info *info, size_t size, void *context)
{
    const struct visitor *visitor = context;
    const struct linked object = describe(info);
    (void)size;
    return visitor->visit(&object, visitor->context);
}

void linked_each(int (*visit)(const struct linked *object, void *context), void *context)
{
    struct visitor visitor = { visit, context };
    dl_iterate_phdr(show, &visitor);
}

static int count(struct dl_phdr_info *info, size_t size, void *context)
{
    unsigned long long *counts = context;
    (void)size;
    counts[0] = info->dlpi_adds;
    counts[1] = info->dlpi_subs;
    return 1;
}

void linked_counts(unsigned long long *loaded, unsigned long long *unloaded)
{
    unsigned long long counts[2] = { 0, 0 };
    dl_iterate_phdr(count, counts);
    *loaded = counts[0];
    *unloaded = counts[1];
}

int linked_needs(const struct linked *object, const char *list)
{
    for (const ElfW(Dyn) *entry = object->dynamic; object->strings && entry->d_tag != DT_NULL; entry++) {
        const char *file = entry->d_tag == DT_NEEDED ? linked_file(object->strings + entry->d_un.d_val) : 0;
        if (file && is_listed(list, file, strlen(file)))
            return 1;
    }
    return 0;
}

int linked_mentions(const struct linked *object, const char *text)
{
    return object->strings && memmem(object->strings, object->strings_size, text, strlen(text)) != 0;
}

/* In an object built with AddressSanitizer, some slots lie where only its run time may read. */
__attribute__((no_sanitize_address))
int linked_has_slot(const struct linked *object,
                    int (*is_wanted)(const char *symbol, const void *content, const void *context), const void *context)
{
    static const struct { ElfW(Sxword) table, size; } tags[] = { { DT_RELA, DT_RELASZ }, { DT_JMPREL, DT_PLTRELSZ } };
    const ElfW(Sym) *symbols = dynamic_table(object, DT_SYMTAB);
    for (size_t i = 0; symbols && object->strings && i < sizeof tags / sizeof *tags; i++) {
        const ElfW(Rela) *relocation = dynamic_table(object, tags[i].table);
        const ElfW(Rela) *end = relocation + dynamic_value(object, tags[i].size) / sizeof *relocation;
        for (; relocation && relocation < end; relocation++) {
            size_t symbol = ELF64_R_SYM(relocation->r_info);
            void *const *word = (void *const *)(object->bias + relocation->r_offset);
            if (symbol && is_wanted(object->strings + symbols[symbol].st_name,
                                    (uintptr_t)word % sizeof *word == 0 ? *word : 0, context))
                return 1;
        }
    }
    return 0;
}
