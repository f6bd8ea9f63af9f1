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

static void find_strings(struct linked *object, uintptr_t bias)
{
    for (const ElfW(Dyn) *entry = object->dynamic; entry && entry->d_tag != DT_NULL; entry++) {
        uintptr_t value = entry->d_un.d_ptr;
        /* Some loaders relocate this entry in place, others, and the vdso, leave it. */
        if (entry->d_tag == DT_STRTAB)
            object->strings = (const char *)(value >= (uintptr_t)object->base && value < (uintptr_t)object->end
                                                 ? value : value + bias);
        if (entry->d_tag == DT_STRSZ)
            object->strings_size = entry->d_un.d_val;
    }
}

static struct linked describe(const struct dl_phdr_info *info)
{
    struct linked object = { info->dlpi_name ? info->dlpi_name : "", (void *)UINTPTR_MAX, 0, 0, 0, 0 };
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
    find_strings(&object, info->dlpi_addr);
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
