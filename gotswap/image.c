/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the slots of a loaded object from its file.  The file is mapped, and
 * libelf hands out pointers into the mapping, so that only the pages with the
 * program headers, the dynamic section, the symbolic relocations and their
 * symbols are touched; section headers are not needed.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* An object's file while it is read. */
struct file {
    const char *path;
    Elf *elf;
    GElf_Ehdr header;
    GElf_Phdr *segments;
    size_t segment_count;
    uintptr_t bias; /* added to an address of the file gives the one in memory */
};

/* The values of the dynamic section's entries that lead to the slots. */
struct tables {
    uint64_t symtab;
    uint64_t strtab;
    uint64_t strsz;
    uint64_t rela;
    uint64_t relasz;
    uint64_t relacount;
    uint64_t jmprel;
    uint64_t pltrelsz;
    uint64_t pltrel;
};

/* The slots collected so far; their names still point into `strings`. */
struct collection {
    struct slot_list list;
    Elf_Data *symbols;
    Elf_Data *strings;
};

static int damaged(const struct file *file, const char *what)
{
    return gotswap_fail(GOTSWAP_EELF, "%s: %s", file->path, what);
}

/* ---- the file and its headers ---- */

static int open_file(const char *path, int *fd)
{
    static const char suffix[] = " (deleted)";
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0) {
        int error = errno;
        size_t length = strlen(path);
        size_t tail = sizeof suffix - 1;
        if (error == ENOENT && length > tail && strcmp(path + length - tail, suffix) == 0)
            return gotswap_fail(GOTSWAP_EFILE, "%.*s: the file was deleted or replaced after loading",
                                (int)(length - tail), path);
        return gotswap_fail(GOTSWAP_EFILE, "%s: %s", path, strerror(error));
    }
    struct stat status;
    if (fstat(*fd, &status) == 0 && S_ISREG(status.st_mode))
        return GOTSWAP_OK;
    close(*fd);
    return gotswap_fail(GOTSWAP_EFILE, "%s: not a regular file", path);
}

static int check_header(struct file *file)
{
    if (elf_kind(file->elf) != ELF_K_ELF || !gelf_getehdr(file->elf, &file->header))
        return damaged(file, "not an ELF file");
    if (file->header.e_ident[EI_CLASS] != ELFCLASS64 ||
        file->header.e_ident[EI_DATA] != ARCH_DATA || file->header.e_machine != ARCH_MACHINE)
        return gotswap_fail(GOTSWAP_EARCH, "%s: not an object for %s", file->path, ARCH_NAME);
    if (file->header.e_type != ET_DYN && file->header.e_type != ET_EXEC)
        return damaged(file, "neither an executable nor a shared object");
    return GOTSWAP_OK;
}

static int read_segments(struct file *file)
{
    size_t count;
    if (elf_getphdrnum(file->elf, &count) || count == 0)
        return damaged(file, "no program headers");
    file->segments = malloc(count * sizeof *file->segments);
    if (!file->segments)
        return gotswap_fail_memory();
    file->segment_count = count;
    for (size_t i = 0; i < count; i++)
        if (!gelf_getphdr(file->elf, (int)i, &file->segments[i]))
            return damaged(file, "damaged program headers");
    return GOTSWAP_OK;
}

/* Returns the part of the file at `offset`, or NULL if it exceeds the file. */
static Elf_Data *chunk(const struct file *file, uint64_t offset, uint64_t size, Elf_Type type)
{
    if (offset > INT64_MAX || size > INT64_MAX)
        return NULL;
    return elf_getdata_rawchunk(file->elf, (int64_t)offset, size, type);
}

/* Returns the offset in the file of the bytes that are loaded at `address` (without the bias); UINT64_MAX if they are not in it. */
static uint64_t offset_of(const struct file *file, uint64_t address, uint64_t size)
{
    for (size_t i = 0; i < file->segment_count; i++) {
        const GElf_Phdr *segment = &file->segments[i];
        uint64_t inside = address - segment->p_vaddr;
        if (segment->p_type == PT_LOAD && inside < segment->p_filesz &&
            size <= segment->p_filesz - inside)
            return segment->p_offset + inside;
    }
    return UINT64_MAX;
}

static Elf_Data *chunk_at(const struct file *file, uint64_t address, uint64_t size, Elf_Type type)
{
    return chunk(file, offset_of(file, address, size), size, type);
}

/* ---- where the object is in memory ---- */

/* True if the headers of the file equal those at `start` in memory. */
static bool same_headers(const struct file *file, const struct maps *maps, uintptr_t start)
{
    uint64_t size = file->header.e_phoff + file->segment_count * sizeof(Elf64_Phdr);
    const struct region *region = gotswap_maps_find(maps, start);
    if (!region)
        return false;
    if (size > region->end - start)
        size = sizeof(Elf64_Ehdr); /* the program headers are elsewhere */
    Elf_Data *headers = chunk(file, 0, size, ELF_T_BYTE);
    if (!headers || size > region->end - start)
        return false;
    /* Memory that may only be executed cannot be compared. */
    return !(region->prot & PROT_READ) ||
           memcmp((const void *)start, headers->d_buf, size) == 0;
}

/* True if the file's headers equal those in memory, or no segment has them. */
static bool same_object(const struct file *file, const struct maps *maps)
{
    for (size_t i = 0; i < file->segment_count; i++) {
        const GElf_Phdr *segment = &file->segments[i];
        if (segment->p_type == PT_LOAD && segment->p_offset == 0)
            return same_headers(file, maps, file->bias + segment->p_vaddr);
    }
    return true;
}

/* True if all of the memory is mapped, in one region or in several. */
static bool is_mapped(const struct maps *maps, uintptr_t start, uint64_t size)
{
    const struct region *region;
    while ((region = gotswap_maps_find(maps, start)) && region->end - start < size) {
        size -= region->end - start;
        start = region->end;
    }
    return region != NULL;
}

/*
 * True if all segments are mapped, should the object be loaded at `bias`.  The
 * protection tells an object from a file that is mapped to be read, as libelf
 * does it in another thread.
 */
static bool mapped_at(const struct file *file, const struct maps *maps, uintptr_t bias)
{
    for (size_t i = 0; i < file->segment_count; i++) {
        const GElf_Phdr *segment = &file->segments[i];
        if (segment->p_type != PT_LOAD || segment->p_memsz == 0)
            continue;
        const struct region *region = gotswap_maps_find(maps, bias + segment->p_vaddr);
        if (!region || ((segment->p_flags & PF_X) && !(region->prot & PROT_EXEC)) ||
            !is_mapped(maps, bias + segment->p_vaddr, segment->p_memsz))
            return false;
    }
    return true;
}

/* Finds the bias: some segment of the file must explain why `region` is where it is. */
static bool find_bias(struct file *file, const struct maps *maps, const struct region *region)
{
    uint64_t mask = gotswap_page_size() - 1;
    for (size_t i = 0; i < file->segment_count; i++) {
        const GElf_Phdr *segment = &file->segments[i];
        uint64_t first = segment->p_offset & ~mask;
        if (segment->p_type != PT_LOAD || region->offset < first ||
            region->offset - first >= segment->p_filesz + (segment->p_offset - first))
            continue;
        file->bias = region->start - ((segment->p_vaddr & ~mask) + (region->offset - first));
        if (mapped_at(file, maps, file->bias))
            return true;
    }
    return false;
}

static int locate_region(struct file *file, const struct maps *maps, const struct region *region)
{
    bool found = find_bias(file, maps, region);
    if (found && same_object(file, maps))
        return GOTSWAP_OK;
    if (!found && same_headers(file, maps, region->start - region->offset))
        return gotswap_fail(GOTSWAP_ENOTLOADED, "%s: not loaded, only mapped", file->path);
    return gotswap_fail(GOTSWAP_EFILE, "%s: the file is not the one that was loaded", file->path);
}

static void find_extent(const struct file *file, struct image *image)
{
    image->start = UINTPTR_MAX;
    image->end = 0;
    for (size_t i = 0; i < file->segment_count; i++) {
        const GElf_Phdr *segment = &file->segments[i];
        if (segment->p_type != PT_LOAD)
            continue;
        uintptr_t first = file->bias + segment->p_vaddr;
        if (first < image->start)
            image->start = first & ~(gotswap_page_size() - 1);
        if (first + segment->p_memsz > image->end)
            image->end = first + segment->p_memsz;
    }
}

/* ---- the dynamic section ---- */

static uint64_t *table_entry(struct tables *tables, int64_t tag)
{
    switch (tag) {
    case DT_SYMTAB: return &tables->symtab;
    case DT_STRTAB: return &tables->strtab;
    case DT_STRSZ: return &tables->strsz;
    case DT_RELA: return &tables->rela;
    case DT_RELASZ: return &tables->relasz;
    case DT_RELACOUNT: return &tables->relacount;
    case DT_JMPREL: return &tables->jmprel;
    case DT_PLTRELSZ: return &tables->pltrelsz;
    case DT_PLTREL: return &tables->pltrel;
    /* DT_RELR holds only relative relocations, which name no symbol. */
    default: return NULL;
    }
}

static int read_dynamic(const struct file *file, struct tables *tables)
{
    const GElf_Phdr *segment = NULL;
    for (size_t i = 0; i < file->segment_count && !segment; i++)
        if (file->segments[i].p_type == PT_DYNAMIC)
            segment = &file->segments[i];
    if (!segment)
        return damaged(file, "no dynamic section (statically linked)");
    Elf_Data *data = chunk(file, segment->p_offset, segment->p_filesz, ELF_T_DYN);
    if (!data)
        return damaged(file, "the dynamic section is not in the file");
    GElf_Dyn entry;
    for (int i = 0; gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
        uint64_t *wanted = table_entry(tables, entry.d_tag);
        if (wanted)
            *wanted = entry.d_un.d_val;
    }
    if (tables->pltrelsz && tables->pltrel != DT_RELA)
        return damaged(file, "relocations without addends (DT_REL)");
    return GOTSWAP_OK;
}

/* ---- the relocations ---- */

static bool in_memory(const struct file *file, uint64_t address)
{
    for (size_t i = 0; i < file->segment_count; i++) {
        const GElf_Phdr *segment = &file->segments[i];
        uint64_t inside = address - segment->p_vaddr;
        if (segment->p_type == PT_LOAD && inside < segment->p_memsz &&
            sizeof(void *) <= segment->p_memsz - inside)
            return true;
    }
    return false;
}

/* Returns the content of a lazy slot before it is resolved: that of the file, and the bias. */
static uintptr_t lazy_content(const struct file *file, const GElf_Rela *relocation)
{
    /* Reads the raw file, because libelf searches the list of all chunks at each request for one. */
    uint64_t offset = offset_of(file, relocation->r_offset, sizeof(Elf64_Addr));
    size_t size;
    const char *bytes = elf_rawfile(file->elf, &size);
    Elf64_Addr content = 0;
    if (bytes && offset < size && sizeof content <= size - offset)
        memcpy(&content, bytes + offset, sizeof content);
    return content ? content + file->bias : 0;
}

/* Adds the slot of a relocation, if that fills one and refers to a symbol. */
static int add_slot(const struct file *file, struct collection *found, const GElf_Rela *relocation)
{
    GElf_Sym symbol;
    int type = gotswap_slot_type(relocation);
    size_t index = GELF_R_SYM(relocation->r_info);
    if (!type || index == 0)
        return GOTSWAP_OK;
    if (!gelf_getsym(found->symbols, (int)index, &symbol) ||
        symbol.st_name >= found->strings->d_size)
        return damaged(file, "a relocation refers to a symbol outside of the file");
    if (!in_memory(file, relocation->r_offset))
        return damaged(file, "a relocation lies outside of the object");
    const char *name = (const char *)found->strings->d_buf + symbol.st_name;
    if (!*name)
        return GOTSWAP_OK; /* a section */
    struct slot *slot = gotswap_slots_add(&found->list);
    if (!slot)
        return gotswap_fail_memory();
    *slot = (struct slot){
        .symbol = name,
        .address = file->bias + relocation->r_offset,
        .lazy = type == GOTSWAP_JUMP_SLOT ? lazy_content(file, relocation) : 0,
        /* Linkers give an addend to absolute addresses only. */
        .addend = type == GOTSWAP_ABSOLUTE ? relocation->r_addend : 0,
        .type = type,
        .imported = symbol.st_shndx == SHN_UNDEF,
    };
    return GOTSWAP_OK;
}

/* Reads one of the two tables of relocations, without the first `skip` ones, which are relative. */
static int read_relocations(const struct file *file, struct collection *found, uint64_t address,
                            uint64_t size, uint64_t skip)
{
    size_t count = size / sizeof(Elf64_Rela);
    if (skip >= count)
        return GOTSWAP_OK;
    count -= skip;
    Elf_Data *data = chunk_at(file, address + skip * sizeof(Elf64_Rela),
                              count * sizeof(Elf64_Rela), ELF_T_RELA);
    if (!data || count > INT32_MAX)
        return damaged(file, "the relocations are not in the file");
    GElf_Rela relocation;
    int code = GOTSWAP_OK;
    for (int i = 0; !code && i < (int)count && gelf_getrela(data, i, &relocation); i++)
        code = add_slot(file, found, &relocation);
    return code;
}

/*
 * The dynamic section does not tell how many symbols there are.  They are in
 * front of the strings in all objects known; otherwise they end with the segment.
 */
static Elf_Data *symbol_table(const struct file *file, const struct tables *tables)
{
    for (size_t i = 0; i < file->segment_count; i++) {
        const GElf_Phdr *segment = &file->segments[i];
        uint64_t inside = tables->symtab - segment->p_vaddr;
        if (segment->p_type != PT_LOAD || inside >= segment->p_filesz)
            continue;
        uint64_t size = segment->p_filesz - inside;
        if (tables->strtab > tables->symtab && tables->strtab - tables->symtab < size)
            size = tables->strtab - tables->symtab;
        return chunk(file, segment->p_offset + inside, size - size % sizeof(Elf64_Sym), ELF_T_SYM);
    }
    return NULL;
}

static int read_slots(const struct file *file, const struct tables *tables,
                      struct collection *found)
{
    uint64_t relasz = tables->relasz;
    /* The size of the first table may count the second one, which then ends it. */
    if (tables->pltrelsz && tables->jmprel >= tables->rela &&
        tables->jmprel - tables->rela < relasz)
        relasz = tables->jmprel - tables->rela;
    if (relasz == 0 && tables->pltrelsz == 0)
        return GOTSWAP_OK;
    found->symbols = symbol_table(file, tables);
    found->strings = chunk_at(file, tables->strtab, tables->strsz, ELF_T_BYTE);
    if (!found->symbols || !found->strings)
        return damaged(file, "the dynamic symbols are not in the file");
    size_t size = found->strings->d_size;
    if (size == 0 || ((const char *)found->strings->d_buf)[size - 1])
        return damaged(file, "the names of the dynamic symbols have no end");
    int code = read_relocations(file, found, tables->rela, relasz, tables->relacount);
    return code ? code : read_relocations(file, found, tables->jmprel, tables->pltrelsz, 0);
}

static int read_image(struct file *file, struct image *image, const struct maps *maps,
                      const struct region *region)
{
    struct tables tables = {0};
    struct collection found = {0};
    int code = check_header(file);
    if (!code)
        code = read_segments(file);
    if (!code)
        code = read_dynamic(file, &tables);
    if (!code)
        code = locate_region(file, maps, region);
    if (!code)
        code = read_slots(file, &tables, &found);
    if (!code) {
        find_extent(file, image);
        code = gotswap_image_take(image, &found.list);
    }
    if (code)
        free(found.list.slots);
    return code;
}

int gotswap_image_read(struct image *image, const struct maps *maps, const struct region *region)
{
    struct file file = {.path = region->path};
    int fd;
    *image = (struct image){0};
    int code = open_file(file.path, &fd);
    if (code)
        return code;
    (void)elf_version(EV_CURRENT);
    file.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (file.elf)
        code = read_image(&file, image, maps, region);
    else
        code = gotswap_fail(GOTSWAP_EELF, "%s: %s", file.path, elf_errmsg(-1));
    free(file.segments);
    elf_end(file.elf);
    close(fd);
    return code;
}
