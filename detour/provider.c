/* SPDX-License-Identifier: BSD-3-Clause */
#include "provider.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "code.h"
#include "detour.h"

enum { SEGMENTS = 3, ENTRIES = 6 };

/* The file: headers, tables, and the names behind them. Symbols get their values when the library is loaded, and it is known where. */
struct image {
    char *bytes;
    size_t size, count;                                /* count: of symbols, with the first, which is none */
    size_t dynamic, symbols, hash, strings, next_name; /* offsets, which are addresses, too */
};

/* The pair looks for names of procedures among the strings of loaded objects: the program may call those. */
static bool is_mentioned(const struct name *name)
{
    return name->is_provided || (name->address && name->library == 0);
}

static void lay_out(struct image *image, const struct pair *pair)
{
    size_t length = 1;
    image->count = 1;
    for (size_t i = 0; i < pair->count; i++)
        if (is_mentioned(&pair->names[i])) {
            image->count += pair->names[i].is_provided;
            length += strlen(pair->names[i].text) + 1;
        }
    image->dynamic = sizeof(ElfW(Ehdr)) + SEGMENTS * sizeof(ElfW(Phdr));
    image->symbols = image->dynamic + ENTRIES * sizeof(ElfW(Dyn));
    image->hash = image->symbols + image->count * sizeof(ElfW(Sym));
    image->strings = image->hash + (2 + 2 * image->count) * sizeof(uint32_t);
    image->next_name = image->strings + 1;
    image->size = image->strings + length;
    image->bytes = memset(allocate(NULL, image->size), 0, image->size);
}

/* Writable, as older dynamic linkers write into the dynamic section. */
static void write_headers(const struct image *image)
{
    ElfW(Ehdr) *header = (ElfW(Ehdr) *)image->bytes;
    ElfW(Phdr) *segments = (ElfW(Phdr) *)(header + 1);
    ElfW(Dyn) *dynamic = (ElfW(Dyn) *)(image->bytes + image->dynamic);
    size_t room = ENTRIES * sizeof *dynamic;
    *header = (ElfW(Ehdr)){ .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
                            .e_type = ET_DYN, .e_machine = DETOUR_MACHINE, .e_version = EV_CURRENT, .e_phoff = sizeof *header,
                            .e_ehsize = sizeof *header, .e_phentsize = sizeof *segments, .e_phnum = SEGMENTS };
    segments[0] = (ElfW(Phdr)){ .p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_filesz = image->size, .p_memsz = image->size,
                                .p_align = 0x10000 };
    segments[1] = (ElfW(Phdr)){ .p_type = PT_DYNAMIC, .p_flags = PF_R | PF_W, .p_offset = image->dynamic, .p_vaddr = image->dynamic,
                                .p_filesz = room, .p_memsz = room, .p_align = sizeof(void *) };
    segments[2] = (ElfW(Phdr)){ .p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W };
    const ElfW(Dyn) entries[ENTRIES] = {
        { DT_HASH, { image->hash } },
        { DT_SYMTAB, { image->symbols } },
        { DT_SYMENT, { sizeof(ElfW(Sym)) } },
        { DT_STRTAB, { image->strings } },
        { DT_STRSZ, { image->size - image->strings } },
        { DT_NULL, { 0 } },
    };
    memcpy(dynamic, entries, sizeof entries);
}

/* The hash function of the System V ABI, chapter 5. */
static uint32_t hash_of(const char *text)
{
    uint32_t hash = 0;
    for (; *text; text++) {
        hash = (hash << 4) + (unsigned char)*text;
        hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
    }
    return hash;
}

/* Adds a string, and returns its place among the strings. */
static ElfW(Word) write_name(struct image *image, const char *text)
{
    size_t size = strlen(text) + 1, place = image->next_name;
    memcpy(image->bytes + place, text, size);
    image->next_name += size;
    return (ElfW(Word))(place - image->strings);
}

/* Adds a symbol, and its number to the table of hashes: the numbers of buckets and of symbols, buckets, and chains. */
static void write_symbol(struct image *image, const struct name *name, uint32_t number)
{
    ElfW(Sym) *symbol = (ElfW(Sym) *)(image->bytes + image->symbols) + number;
    uint32_t *hash = (uint32_t *)(image->bytes + image->hash), *bucket = &hash[2 + hash_of(name->text) % image->count];
    *symbol = (ElfW(Sym)){ .st_name = write_name(image, name->text), .st_size = name->size,
                           .st_info = ELF64_ST_INFO(STB_GLOBAL, name->is_data ? STT_OBJECT : STT_FUNC), .st_shndx = 1 };
    hash[2 + image->count + number] = *bucket;
    *bucket = number;
}

static void write_symbols(struct image *image, const struct pair *pair)
{
    uint32_t *hash = (uint32_t *)(image->bytes + image->hash), number = 1;
    hash[0] = hash[1] = (uint32_t)image->count;
    for (size_t i = 0; i < pair->count; i++)
        if (pair->names[i].is_provided)
            write_symbol(image, &pair->names[i], number++);
        else if (is_mentioned(&pair->names[i]))
            write_name(image, pair->names[i].text);
}

/* Returns what the loader says of the library. The file stays open, and is called what nobody else calls one: the loader takes two
 * of one name for the same. */
static struct link_map *load(const struct image *image)
{
    char path[64];
    void *handle = NULL;
    struct link_map *map = NULL;
    int file = (int)syscall(SYS_memfd_create, "mpi-adapter", 1 /* close on exec */);
    snprintf(path, sizeof path, "/proc/self/../self/fd/%d", file);
    if (file >= 0 && write(file, image->bytes, image->size) == (ssize_t)image->size)
        handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
        map = NULL;
    return map;
}

void provide(const struct pair *pair, const struct program *program)
{
    struct image image;
    lay_out(&image, pair);
    write_headers(&image);
    write_symbols(&image, pair);
    struct link_map *map = load(&image);
    if (!map)
        refuse_program("cannot give the pair the constants of %s, as no library can be made in memory; mount /proc", program->path);
    ElfW(Sym) *symbol = (ElfW(Sym) *)(map->l_addr + image.symbols) + 1;
    for (size_t i = 0; i < pair->count; i++)
        if (pair->names[i].is_provided)
            symbol++->st_value = pair->names[i].address - map->l_addr;
    free(image.bytes);
}
