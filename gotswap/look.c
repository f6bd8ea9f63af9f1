/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the dynamic loader's list, and the memory of the objects in it, in place. */
#include "internal.h"

#include <gnu/libc-version.h>
#include <stdlib.h>
#include <string.h>

/* ---- the loader's function ---- */

typedef int each_object(int (*visit)(struct dl_phdr_info *, size_t, void *), void *context);

/* Stores libc's dl_iterate_phdr() in `context` if the object is libc. */
static int find_in_libc(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    if (!gotswap_linked_contains(info, (uintptr_t)&gnu_get_libc_version))
        return 0;
    const gotswap_linked libc = gotswap_linked_describe(info);
    *(void **)context = gotswap_defined(&libc, "dl_iterate_phdr", NULL);
    return 1;
}

/*
 * A program may bring a dl_iterate_phdr() of its own that shows a list it copied
 * when the process began, which lacks what was loaded since.
 */
int gotswap_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *context)
{
    static void *found;
    void *iterate = __atomic_load_n(&found, __ATOMIC_RELAXED);
    if (!iterate) {
        (void)dl_iterate_phdr(find_in_libc, &iterate);
        iterate = iterate ? iterate : (void *)dl_iterate_phdr;
        __atomic_store_n(&found, iterate, __ATOMIC_RELAXED);
    }
    return ((each_object *)iterate)(visit, context);
}

/* ---- one object ---- */

uint64_t gotswap_linked_value(const gotswap_linked *object, Elf64_Sxword tag)
{
    for (const Elf64_Dyn *d = object->dynamic; d && d->d_tag != DT_NULL; d++)
        if (d->d_tag == tag)
            return d->d_un.d_val;
    return 0;
}

static bool has_entry(const gotswap_linked *object, Elf64_Sxword tag)
{
    const Elf64_Dyn *d = object->dynamic;
    while (d && d->d_tag != DT_NULL && d->d_tag != tag)
        d++;
    return d && d->d_tag == tag;
}

/* Returns the address that the value of an entry stands for. */
static const void *in_memory(const gotswap_linked *object, uintptr_t value)
{
    /* Some loaders add the bias to the entry in memory; others, and the vdso, do not. */
    if (value && (value < (uintptr_t)object->base || value >= (uintptr_t)object->end))
        value += object->bias;
    return (const void *)value;
}

const void *gotswap_linked_table(const gotswap_linked *object, Elf64_Sxword tag)
{
    return in_memory(object, gotswap_linked_value(object, tag));
}

/* Limits the size of the strings to the object. The loader never uses their size, which may be wrong in a damaged file. */
static void bound_strings(gotswap_linked *object)
{
    uintptr_t start = (uintptr_t)object->strings, end = (uintptr_t)object->end;
    size_t most = start < end ? end - start : 0;
    if (object->strings_size > most)
        object->strings_size = most;
}

/* Finds address and size in one pass, because this runs for every object in the list. */
static void find_strings(gotswap_linked *object)
{
    for (const Elf64_Dyn *d = object->dynamic; d && d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_STRTAB)
            object->strings = in_memory(object, d->d_un.d_ptr);
        else if (d->d_tag == DT_STRSZ)
            object->strings_size = d->d_un.d_val;
        else
            continue;
        if (object->strings && object->strings_size)
            break;
    }
    bound_strings(object);
}

gotswap_linked gotswap_linked_locate(const struct dl_phdr_info *info)
{
    uintptr_t base = UINTPTR_MAX;
    uintptr_t end = 0;
    gotswap_linked object = {.name = info->dlpi_name ? info->dlpi_name : "", .bias = info->dlpi_addr};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const Elf64_Phdr *segment = &info->dlpi_phdr[i];
        uintptr_t first = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_DYNAMIC)
            object.dynamic = (const Elf64_Dyn *)first;
        if (segment->p_type != PT_LOAD)
            continue;
        if (first < base)
            base = first & ~(gotswap_page_size() - 1);
        if (first + segment->p_memsz > end)
            end = first + segment->p_memsz;
    }
    object.base = (const void *)base;
    object.end = (const void *)end;
    return object;
}

gotswap_linked gotswap_linked_describe(const struct dl_phdr_info *info)
{
    gotswap_linked object = gotswap_linked_locate(info);
    find_strings(&object);
    return object;
}

bool gotswap_linked_contains(const struct dl_phdr_info *info, uintptr_t address)
{
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD &&
            address - (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr) < info->dlpi_phdr[i].p_memsz)
            return true;
    return false;
}

/* Returns a string, or "" if it has no end. The loader has checked only the strings that it needs itself. */
static const char *bounded_text(const gotswap_linked *object, uint64_t offset)
{
    bool ends = offset < object->strings_size &&
                memchr(object->strings + offset, 0, object->strings_size - offset);
    return ends ? object->strings + offset : "";
}

const char *gotswap_string(const gotswap_linked *object, long tag, size_t index)
{
    for (const Elf64_Dyn *d = object->dynamic; d && object->strings && d->d_tag != DT_NULL; d++)
        if (d->d_tag == tag && index-- == 0)
            return bounded_text(object, d->d_un.d_val);
    return NULL;
}

/* ---- the words that an object's relocations fill ---- */

/*
 * True if the word leads to the object's own PLT, which asks the loader for the
 * symbol.  The only other address inside the object that the word may hold is
 * that of a symbol the object defines.
 */
static bool is_lazy(const gotswap_linked *object, const Elf64_Sym *symbol, uintptr_t content)
{
    bool inside = content >= (uintptr_t)object->base && content < (uintptr_t)object->end;
    bool defined = symbol->st_shndx != SHN_UNDEF && (content == object->bias + symbol->st_value ||
                                                     ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC);
    return inside && !defined;
}

static inline void read_word(gotswap_slot *word, const gotswap_linked *object, const Elf64_Sym *symbol,
                             const Elf64_Rela *relocation)
{
    uintptr_t address = object->bias + relocation->r_offset;
    int type = gotswap_slot_type(relocation);
    uintptr_t content = type ? gotswap_content(address) : 0;
    word->slot = (void **)address;
    word->value = (void *)content;
    word->addend = type == GOTSWAP_ABSOLUTE ? relocation->r_addend : 0;
    word->type = type;
    word->bound = type != GOTSWAP_JUMP_SLOT || !is_lazy(object, symbol, content);
    word->imported = symbol->st_shndx == SHN_UNDEF;
}

/* Returns the size of the strings without a last one that has no end. */
static size_t names_size(const gotswap_linked *object)
{
    size_t size = object->strings ? object->strings_size : 0;
    while (size > 0 && object->strings[size - 1])
        size--;
    return size;
}

/*
 * Shows the words of the relocations from `relocation` up to `end`.  Skips a relocation to no symbol of the object, or to one
 * without a name: the loader has not followed those that are bound lazily, so they may be damaged.
 */
static int each_word(const gotswap_linked *object, const Elf64_Rela *relocation, const Elf64_Rela *end,
                     int (*visit)(const gotswap_slot *, void *), void *context)
{
    const Elf64_Sym *symbols = gotswap_linked_table(object, DT_SYMTAB);
    size_t names = symbols ? names_size(object) : 0;
    for (; names > 0 && relocation < end; relocation++) {
        const Elf64_Sym *symbol = &symbols[ELF64_R_SYM(relocation->r_info)];
        gotswap_slot word;
        if (symbol == symbols || (uintptr_t)(symbol + 1) > (uintptr_t)object->end || symbol->st_name >= names)
            continue;
        word.symbol = object->strings + symbol->st_name;
        if (!*word.symbol)
            continue;
        read_word(&word, object, symbol, relocation);
        int result = visit(&word, context);
        if (result)
            return result;
    }
    return 0;
}

int gotswap_each_word(const gotswap_linked *object, int (*visit)(const gotswap_slot *, void *),
                      void *context)
{
    if (!object || !visit)
        return gotswap_fail(GOTSWAP_EINVAL, "gotswap_each_word: a null argument");
    const Elf64_Rela *rela = gotswap_linked_table(object, DT_RELA);
    const Elf64_Rela *jmprel = gotswap_linked_table(object, DT_JMPREL);
    size_t relative = gotswap_linked_value(object, DT_RELACOUNT);
    size_t count = rela ? gotswap_linked_value(object, DT_RELASZ) / sizeof *rela : 0;
    /* The size of the first table may count the second one, which then ends it. */
    if (jmprel >= rela && (size_t)(jmprel - rela) < count)
        count = (size_t)(jmprel - rela);
    /* The first DT_RELACOUNT relocations are relative and refer to no symbol. */
    int result = relative < count ? each_word(object, rela + relative, rela + count, visit, context) : 0;
    if (result || !jmprel)
        return result;
    count = gotswap_linked_value(object, DT_PLTRELSZ) / sizeof *jmprel;
    return each_word(object, jmprel, jmprel + count, visit, context);
}

/* ---- the symbols that an object defines ---- */

/* The header of DT_GNU_HASH; the Bloom filter, the buckets and the chains of hashes follow it. */
struct hash_table {
    uint32_t bucket_count;
    uint32_t first_symbol; /* the index of the first symbol that is hashed */
    uint32_t bloom_size;
    uint32_t bloom_shift;
};

static uint32_t gnu_hash(const char *symbol)
{
    uint32_t hash = 5381;
    for (; *symbol; symbol++)
        hash = hash * 33 + (unsigned char)*symbol;
    return hash;
}

static bool is_definition(const gotswap_linked *object, const Elf64_Sym *symbol, const char *name)
{
    return symbol->st_shndx != SHN_UNDEF && strcmp(bounded_text(object, symbol->st_name), name) == 0;
}

/* Looks in DT_GNU_HASH. Reads only the object's memory, however damaged the table is. */
static const Elf64_Sym *find_gnu(const gotswap_linked *object, const struct hash_table *table,
                                 const Elf64_Sym *symbols, const char *name)
{
    const uint32_t *buckets = (const uint32_t *)((const uint64_t *)(table + 1) + table->bloom_size);
    const uint32_t *chains = buckets + table->bucket_count;
    const uint32_t *end = (const uint32_t *)object->end;
    uint32_t hash = gnu_hash(name);
    if (table->bucket_count == 0 || buckets > end || chains > end)
        return NULL;
    uint32_t index = buckets[hash % table->bucket_count];
    for (; index >= table->first_symbol; index++) {
        const uint32_t *chain = &chains[index - table->first_symbol];
        if (chain + 1 > end || (const void *)(symbols + index + 1) > object->end)
            return NULL;
        if ((*chain | 1) == (hash | 1) && is_definition(object, &symbols[index], name))
            return &symbols[index];
        if (*chain & 1)
            return NULL;
    }
    return NULL;
}

/* Looks at all symbols, whose number is the second word of DT_HASH. Linkers that make no other table are too rare for more. */
static const Elf64_Sym *find_plain(const gotswap_linked *object, const uint32_t *table,
                                   const Elf64_Sym *symbols, const char *name)
{
    for (uint32_t i = 1; i < table[1] && (const void *)(symbols + i + 1) <= object->end; i++)
        if (is_definition(object, &symbols[i], name))
            return &symbols[i];
    return NULL;
}

/* Returns the table with this tag, or NULL if its header is not in the object. */
static const void *hash_table(const gotswap_linked *object, Elf64_Sxword tag)
{
    uintptr_t table = (uintptr_t)gotswap_linked_table(object, tag);
    bool is_inside = table >= (uintptr_t)object->base && table % sizeof(uint64_t) == 0 &&
                     table <= (uintptr_t)object->end - sizeof(struct hash_table);
    return is_inside ? (const void *)table : NULL;
}

static const Elf64_Sym *find_definition(const gotswap_linked *object, const char *name)
{
    const Elf64_Sym *symbols = gotswap_linked_table(object, DT_SYMTAB);
    const struct hash_table *table = hash_table(object, DT_GNU_HASH);
    const uint32_t *plain = hash_table(object, DT_HASH);
    if (!symbols || !object->strings)
        return NULL;
    return table   ? find_gnu(object, table, symbols, name)
           : plain ? find_plain(object, plain, symbols, name)
                   : NULL;
}

static bool is_symbolic(const gotswap_linked *object)
{
    return gotswap_linked_value(object, DT_FLAGS) & DF_SYMBOLIC ||
           has_entry(object, DT_SYMBOLIC);
}

void *gotswap_defined(const gotswap_linked *object, const char *symbol, int *is_fixed)
{
    const Elf64_Sym *found = object && symbol ? find_definition(object, symbol) : NULL;
    if (!found)
        return NULL;
    if (is_fixed)
        *is_fixed = is_symbolic(object) || ELF64_ST_VISIBILITY(found->st_other) == STV_PROTECTED;
    return (void *)(object->bias + found->st_value);
}

/* ---- the list ---- */

/* A copy of the list. `count` may exceed `room`: then the last objects are missing. */
struct look {
    gotswap_linked *objects;
    size_t count;
    size_t room;
    size_t known;               /* how many an earlier look described */
    unsigned long long unloads; /* how many objects had been unloaded by then */
};

/* True if an earlier look described the object. The loader adds objects at the end of its list, so those ahead stay the same until
 * one is unloaded. */
static bool is_known(const struct look *look, const struct dl_phdr_info *info)
{
    const gotswap_linked *object = &look->objects[look->count];
    return look->count < look->known && object->bias == info->dlpi_addr && object->name == info->dlpi_name;
}

static int add_linked(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct look *look = context;
    if (look->count < look->room && !is_known(look, info))
        look->objects[look->count] = gotswap_linked_describe(info);
    look->count++;
    return 0;
}

static int make_room(struct look *look, size_t count)
{
    size_t room = count + count / 2;
    if (count <= look->room)
        return GOTSWAP_OK;
    gotswap_linked *larger = realloc(look->objects, room * sizeof *larger);
    if (!larger)
        return GOTSWAP_EMEM;
    look->objects = larger;
    look->room = room;
    return GOTSWAP_OK;
}

static int read_list(struct look *look, const struct dl_phdr_info *info)
{
    /* The loader's count is of all namespaces. A loader that has none leaves 0: the loop then counts the objects. */
    size_t count = (size_t)(info->dlpi_adds - info->dlpi_subs);
    look->known = look->unloads == info->dlpi_subs ? look->count : 0;
    look->unloads = info->dlpi_subs;
    do {
        if (make_room(look, count)) {
            look->count = 0;
            return GOTSWAP_EMEM;
        }
        look->count = 0;
        (void)gotswap_iterate_phdr(add_linked, look);
        count = look->count;
    } while (count > look->room);
    return GOTSWAP_OK;
}

struct user {
    void (*use)(const gotswap_list *list, void *context);
    void *context;
};

/* Called for the first object only. dl_iterate_phdr() keeps the list locked while this looks at all of it. */
static int look_locked(struct dl_phdr_info *info, size_t size, void *context)
{
    /* The loader's lock protects both. A look within a look gets a list of its own. */
    static struct look kept;
    static bool is_lent;
    (void)size;
    const struct user *user = context;
    struct look nested = {0};
    struct look *look = is_lent ? &nested : &kept;
    int code = read_list(look, info);
    if (!code) {
        bool was_lent = is_lent;
        const gotswap_list list = {look->objects, look->count, info->dlpi_adds};
        is_lent = true;
        user->use(&list, user->context);
        is_lent = was_lent;
    }
    free(nested.objects);
    return code ? code : -1;
}

int gotswap_look(void (*use)(const gotswap_list *list, void *context), void *context)
{
    struct user user = {use, context};
    if (!use)
        return gotswap_fail(GOTSWAP_EINVAL, "gotswap_look: no function to call");
    return gotswap_iterate_phdr(look_locked, &user) == GOTSWAP_EMEM ? gotswap_fail_memory() : GOTSWAP_OK;
}

static int read_loads(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    *(unsigned long long *)context = info->dlpi_adds;
    return 1;
}

unsigned long long gotswap_loads(void)
{
    unsigned long long loads = 0;
    (void)gotswap_iterate_phdr(read_loads, &loads);
    return loads;
}

static int keep_dynamic(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            *(uintptr_t *)context = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    return 0;
}

const ElfW(Dyn) *gotswap_last(void)
{
    uintptr_t last = 0;
    (void)gotswap_iterate_phdr(keep_dynamic, &last);
    return (const ElfW(Dyn) *)last;
}
