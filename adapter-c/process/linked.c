/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "process/linked.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "convert/say.h"

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

/* One look at the list: first how long it is, then what is in it. */
struct look {
    struct linked *objects;
    size_t count, room;
};

static int add(struct dl_phdr_info *info, size_t size, void *context)
{
    struct look *look = context;
    (void)size;
    if (look->count < look->room)
        look->objects[look->count] = describe(info);
    look->count++;
    return 0;
}

struct user {
    void (*use)(const struct linked_list *list, void *context);
    void *context;
};

/* Called for the first object only: the list stays locked while this looks at all of it. */
static int look(struct dl_phdr_info *info, size_t size, void *context)
{
    const struct user *user = context;
    struct look look = { 0, 0, 0 };
    (void)size;
    dl_iterate_phdr(add, &look);
    look.objects = malloc((look.count + 1) * sizeof *look.objects);
    if (!look.objects)
        give_up("out of memory while looking for loaded libraries; start fewer processes on this machine");
    look.room = look.count;
    look.count = 0;
    dl_iterate_phdr(add, &look);
    const struct linked_list list = { look.objects, look.count, info->dlpi_adds };
    user->use(&list, user->context);
    free(look.objects);
    return 1;
}

void linked_look(void (*use)(const struct linked_list *list, void *context), void *context)
{
    struct user user = { use, context };
    dl_iterate_phdr(look, &user);
}

size_t linked_since(const struct linked_list *list, unsigned long long loaded)
{
    unsigned long long later = loaded < list->loaded ? list->loaded - loaded : 0;
    return later < list->count ? list->count - (size_t)later : 0;
}

static int read_count(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    *(unsigned long long *)context = info->dlpi_adds;
    return 1;
}

unsigned long long linked_count(void)
{
    unsigned long long loaded = 0;
    dl_iterate_phdr(read_count, &loaded);
    return loaded;
}

static int keep_dynamic(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            *(ElfW(Addr) *)context = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    return 0;
}

const ElfW(Dyn) *linked_last(void)
{
    ElfW(Addr) last = 0;
    dl_iterate_phdr(keep_dynamic, &last);
    return (const ElfW(Dyn) *)last;
}

const struct link_map *linked_map(void *handle)
{
    struct link_map *map = 0;
    return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map : 0;
}

static int is_string(const struct linked *object, const ElfW(Dyn) *entry, ElfW(Sxword) tag, const char *text)
{
    return entry->d_tag == tag && strcmp(object->strings + entry->d_un.d_val, text) == 0;
}

int linked_is_named(const struct linked *object, const char *name)
{
    for (const ElfW(Dyn) *entry = object->dynamic; entry && object->strings && entry->d_tag != DT_NULL; entry++)
        if (is_string(object, entry, DT_SONAME, name))
            return 1;
    return strcmp(object->path, name) == 0 || strcmp(linked_file(object->path), linked_file(name)) == 0;
}

const char *linked_needed(const struct linked *object, size_t index)
{
    for (const ElfW(Dyn) *entry = object->dynamic; entry && object->strings && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_NEEDED && index-- == 0)
            return object->strings + entry->d_un.d_val;
    return 0;
}

int linked_needs(const struct linked *object, const char *list)
{
    const char *needed;
    for (size_t i = 0; (needed = linked_needed(object, i)); i++)
        if (is_listed(list, linked_file(needed), strlen(linked_file(needed))))
            return 1;
    return 0;
}

int linked_mentions(const struct linked *object, const char *text)
{
    return object->strings && memmem(object->strings, object->strings_size, text, strlen(text)) != 0;
}

/* True of a word that leads into the object although the symbol is not there: to its PLT, from where the
 * dynamic linker is asked for the symbol at the first call. */
static int is_lazy(const struct linked *object, const ElfW(Sym) *symbol, const void *content)
{
    int is_own = symbol->st_shndx != SHN_UNDEF && ((const char *)content == (const char *)object->bias + symbol->st_value ||
                                                   ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC);
    return content >= object->base && content < object->end && !is_own;
}

/* In an object built with AddressSanitizer, some slots lie where only its run time may read. */
__attribute__((no_sanitize_address)) static const void *content_of(const void *const *word)
{
    return (uintptr_t)word % sizeof *word == 0 ? *word : 0;
}

int linked_each_slot(const struct linked *object, int (*visit)(const struct linked_slot *slot, void *context), void *context)
{
    static const struct { ElfW(Sxword) table, size; } tags[] = { { DT_RELA, DT_RELASZ }, { DT_JMPREL, DT_PLTRELSZ } };
    const ElfW(Sym) *symbols = dynamic_table(object, DT_SYMTAB);
    for (size_t i = 0; symbols && object->strings && i < sizeof tags / sizeof *tags; i++) {
        const ElfW(Rela) *relocation = dynamic_table(object, tags[i].table);
        const ElfW(Rela) *end = relocation + dynamic_value(object, tags[i].size) / sizeof *relocation;
        for (; relocation && relocation < end; relocation++) {
            const ElfW(Sym) *symbol = &symbols[ELF64_R_SYM(relocation->r_info)];
            struct linked_slot slot = { object->strings + symbol->st_name, 0, 0 };
            if (symbol == symbols)
                continue;
            slot.content = content_of((const void *const *)(object->bias + relocation->r_offset));
            slot.is_lazy = tags[i].table == DT_JMPREL && is_lazy(object, symbol, slot.content);
            int result = visit(&slot, context);
            if (result)
                return result;
        }
    }
    return 0;
}
