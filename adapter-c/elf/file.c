/* SPDX-License-Identifier: BSD-3-Clause */
#include "elf/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum elf_result elf_fail(struct elf_file *f, enum elf_result result, const char *what)
{
    f->problem = f->limit ? f->limit : what;
    return result;
}

/* ---------------------------------------------------------------- bytes */

struct elf_piece {
    struct elf_piece *next;
    unsigned char bytes[];
};

/* Whether the file still has all of it. It may shrink at any time. */
static bool read_all(int fd, unsigned char *to, uint64_t offset, uint64_t size)
{
    while (size) {
        ssize_t count = pread(fd, to, size, (off_t)offset);
        if (count <= 0)
            return false;
        to += count;
        offset += (uint64_t)count;
        size -= (uint64_t)count;
    }
    return true;
}

static const unsigned char *copy_piece(struct elf_file *f, uint64_t offset, uint64_t size)
{
    struct elf_piece *piece = malloc(sizeof *piece + size);
    if (!piece || !read_all(f->fd, piece->bytes, offset, size)) {
        free(piece);
        return NULL;
    }
    piece->next = f->pieces;
    f->pieces = piece;
    return piece->bytes;
}

/* Returns a range of the file, which stays until elf_close(); NULL if it is empty, the file does not hold it, or it is too much. */
static const unsigned char *range_of(struct elf_file *f, uint64_t offset, uint64_t size)
{
    if (size == 0 || offset > f->size || size > f->size - offset)
        return NULL;
    if (size > ELF_MOST_BYTES - f->bytes_read) {
        f->limit = "it has more headers, names and symbols than 256 MiB";
        return NULL;
    }
    f->bytes_read += size;
    return f->mapped ? f->mapped + offset : copy_piece(f, offset, size);
}

/* Returns the number that `size` bytes hold, in the byte order of the file. The first way is one instruction. */
static inline uint64_t number_at(const struct elf_file *f, const unsigned char *at, size_t size)
{
    uint64_t number = 0;
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !f->is_big_endian) {
        memcpy(&number, at, size);
        return number;
    }
    for (size_t i = 0; i < size; i++)
        number |= (uint64_t)at[i] << 8 * (f->is_big_endian ? size - 1 - i : i);
    return number;
}

/* A structure of <elf.h> as the file has it, and a field of one, such as FIELD(f, at, Phdr, p_type). */
#define SIZE_OF(f, structure) ((f)->is_64 ? sizeof(Elf64_##structure) : sizeof(Elf32_##structure))
#define FIELD(f, at, structure, name) \
    ((f)->is_64 ? number_at(f, (at) + offsetof(Elf64_##structure, name), sizeof((Elf64_##structure *)0)->name) \
                : number_at(f, (at) + offsetof(Elf32_##structure, name), sizeof((Elf32_##structure *)0)->name))

/* None, if the file does not hold them all. */
static struct elf_strings strings_in(struct elf_file *f, uint64_t offset, uint64_t size)
{
    const char *at = (const char *)range_of(f, offset, size);
    return (struct elf_strings){ at, at ? size : 0 };
}

/* Returns the C string at the offset, or NULL if it has no end among the strings, or within ELF_LONGEST_NAME. Its length is added. */
static const char *string_at(const struct elf_strings *strings, uint64_t offset, uint64_t *length)
{
    if (offset >= strings->size)
        return NULL;
    const char *text = strings->at + offset;
    size_t left = strings->size - offset;
    const char *end = memchr(text, 0, left < ELF_LONGEST_NAME ? left : ELF_LONGEST_NAME);
    *length += end ? (uint64_t)(end - text) + 1 : ELF_LONGEST_NAME;
    return end ? text : NULL;
}

/* ---------------------------------------------------------------- headers */

static bool read_header(struct elf_file *f)
{
    const unsigned char *ident = range_of(f, 0, EI_NIDENT);
    if (!ident || ident[EI_VERSION] != EV_CURRENT || ident[EI_CLASS] < ELFCLASS32 || ident[EI_CLASS] > ELFCLASS64 ||
        ident[EI_DATA] < ELFDATA2LSB || ident[EI_DATA] > ELFDATA2MSB)
        return false;
    f->is_64 = ident[EI_CLASS] == ELFCLASS64;
    f->is_big_endian = ident[EI_DATA] == ELFDATA2MSB;
    const unsigned char *at = range_of(f, 0, SIZE_OF(f, Ehdr));
    if (!at)
        return false;
    memcpy(f->header.e_ident, ident, EI_NIDENT);
    f->header.e_type = (Elf64_Half)FIELD(f, at, Ehdr, e_type);
    f->header.e_machine = (Elf64_Half)FIELD(f, at, Ehdr, e_machine);
    f->header.e_phoff = FIELD(f, at, Ehdr, e_phoff);
    f->header.e_phnum = (Elf64_Half)FIELD(f, at, Ehdr, e_phnum);
    f->header.e_shoff = FIELD(f, at, Ehdr, e_shoff);
    f->header.e_shnum = (Elf64_Half)FIELD(f, at, Ehdr, e_shnum);
    return true;
}

bool elf_is_own(const struct elf_file *f)
{
    return f->is_64 == (sizeof(void *) == 8) && f->is_big_endian == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

const char *elf_machine_name(unsigned machine)
{
    static const struct { unsigned machine; const char *name; } names[] = {
        { EM_X86_64, "x86_64" }, { EM_386, "i386" },
        { EM_AARCH64, "aarch64" }, { EM_ARM, "arm" },
        { EM_PPC64, "ppc64" }, { EM_PPC, "ppc" },
        { EM_RISCV, "riscv" }, { EM_S390, "s390" },
        { EM_MIPS, "mips" },
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].machine == machine)
            return names[i].name;
    return NULL;
}

Elf64_Phdr elf_segment(const struct elf_file *f, size_t number)
{
    const unsigned char *at = f->segments + number * SIZE_OF(f, Phdr);
    return (Elf64_Phdr){
        .p_type = (Elf64_Word)FIELD(f, at, Phdr, p_type),
        .p_flags = (Elf64_Word)FIELD(f, at, Phdr, p_flags),
        .p_offset = FIELD(f, at, Phdr, p_offset),
        .p_vaddr = FIELD(f, at, Phdr, p_vaddr),
        .p_filesz = FIELD(f, at, Phdr, p_filesz),
    };
}

/* Sets *offset to where the file has what will be loaded at an address, and *left to how much of that segment follows. */
static bool find_loaded(struct elf_file *f, uint64_t address, uint64_t *offset, uint64_t *left)
{
    f->segments_tried += f->header.e_phnum;
    if (f->segments_tried > ELF_MOST_BYTES) {
        f->limit = "it has too many segments for its addresses";
        return false;
    }
    for (size_t i = 0; i < f->header.e_phnum; i++) {
        Elf64_Phdr segment = elf_segment(f, i);
        uint64_t inside = address - segment.p_vaddr;
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && inside < segment.p_filesz) {
            *offset = segment.p_offset + inside;
            *left = segment.p_filesz - inside;
            return true;
        }
    }
    return false;
}

/* Whether the file ends ahead of what the loader would map of it. The loader does not ask: the program dies of SIGBUS. */
static bool is_cut_short(const struct elf_file *f, const Elf64_Phdr *segment)
{
    return segment->p_type == PT_LOAD && (segment->p_offset > f->size || segment->p_filesz > f->size - segment->p_offset);
}

static enum elf_result read_segments(struct elf_file *f)
{
    f->segments = range_of(f, f->header.e_phoff, f->header.e_phnum * SIZE_OF(f, Phdr));
    if (!f->segments && f->header.e_phnum != 0)
        return elf_fail(f, ELF_DAMAGED, "program headers are cut short");
    for (size_t i = 0; i < f->header.e_phnum; i++) {
        Elf64_Phdr segment = elf_segment(f, i);
        f->cut_short = f->cut_short || is_cut_short(f, &segment);
        if (segment.p_type == PT_INTERP) {
            f->has_interpreter = true;
            f->interpreter = segment;
        } else if (segment.p_type == PT_DYNAMIC) {
            f->dynamic.present = true;
            f->dynamic.segment = segment;
        }
    }
    return ELF_YES;
}

bool elf_interpreter(struct elf_file *f, const char **name)
{
    *name = NULL;
    if (!f->has_interpreter)
        return true;
    struct elf_strings strings = strings_in(f, f->interpreter.p_offset, f->interpreter.p_filesz);
    *name = string_at(&strings, 0, &f->names_length);
    return *name != NULL;
}

/* ---------------------------------------------------------------- the dynamic section */

bool elf_each_entry(struct elf_file *f, void visit(struct elf_file *, const Elf64_Dyn *, void *), void *context)
{
    const unsigned char *at = f->dynamic.entries;
    uint64_t count = f->dynamic.segment.p_filesz / SIZE_OF(f, Dyn);
    for (uint64_t i = 0; at && i < count; i++, at += SIZE_OF(f, Dyn)) {
        Elf64_Dyn entry = { (Elf64_Sxword)FIELD(f, at, Dyn, d_tag), { FIELD(f, at, Dyn, d_un.d_val) } };
        if (entry.d_tag == DT_NULL)
            break;
        if (i == ELF_MOST_ENTRIES)
            f->limit = "its dynamic section has more than 16384 entries";
        if (f->limit)
            return false;
        visit(f, &entry, context);
    }
    return !f->limit;
}

const char *elf_entry_text(struct elf_file *f, const Elf64_Dyn *entry)
{
    const char *text = string_at(&f->strings, entry->d_un.d_val, &f->entry_text);
    if (f->entry_text > ELF_MOST_ENTRY_TEXT)
        f->limit = "names in its dynamic section are longer than 1 MiB in all";
    return text && !f->limit ? text : "";
}

static void note_entry(struct elf_file *f, const Elf64_Dyn *entry, void *unused)
{
    (void)unused;
    switch (entry->d_tag) {
    case DT_STRTAB: f->dynamic.strtab = entry->d_un.d_ptr; break;
    case DT_STRSZ: f->dynamic.strsz = entry->d_un.d_val; break;
    case DT_SYMTAB: f->dynamic.symtab = entry->d_un.d_ptr; break;
    case DT_VERNEED: f->dynamic.verneed = entry->d_un.d_ptr; break;
    case DT_VERDEF: f->dynamic.verdef = entry->d_un.d_ptr; break;
    case DT_FLAGS_1: f->dynamic.flags_1 = entry->d_un.d_val; break;
    default: break;
    }
}

static enum elf_result read_dynamic(struct elf_file *f)
{
    uint64_t offset, left;
    if (!f->dynamic.present)
        return ELF_YES;
    f->dynamic.entries = range_of(f, f->dynamic.segment.p_offset, f->dynamic.segment.p_filesz);
    if (!f->dynamic.entries || !elf_each_entry(f, note_entry, NULL))
        return elf_fail(f, ELF_DAMAGED, "dynamic section is cut short");
    if (!find_loaded(f, f->dynamic.strtab, &offset, &left))
        return elf_fail(f, ELF_DAMAGED, "dynamic string table is outside the file");
    f->strings = strings_in(f, offset, f->dynamic.strsz);
    return f->strings.at ? ELF_YES : elf_fail(f, ELF_DAMAGED, "dynamic string table is cut short");
}

/* ---------------------------------------------------------------- symbols */

static Elf64_Shdr section_at(const struct elf_file *f, const unsigned char *headers, size_t number)
{
    const unsigned char *at = headers + number * SIZE_OF(f, Shdr);
    return (Elf64_Shdr){
        .sh_type = (Elf64_Word)FIELD(f, at, Shdr, sh_type),
        .sh_flags = FIELD(f, at, Shdr, sh_flags),
        .sh_addr = FIELD(f, at, Shdr, sh_addr),
        .sh_offset = FIELD(f, at, Shdr, sh_offset),
        .sh_size = FIELD(f, at, Shdr, sh_size),
        .sh_link = (Elf64_Word)FIELD(f, at, Shdr, sh_link),
    };
}

/* A table of symbols, and the strings of their names. */
struct symbols {
    bool is_dynamic;
    const unsigned char *at;
    uint64_t size;
    struct elf_strings strings;
};

static enum elf_result symbols_of_sections(struct elf_file *f, struct symbols *symbols)
{
    const unsigned char *headers = range_of(f, f->header.e_shoff, f->header.e_shnum * SIZE_OF(f, Shdr));
    if (!headers)
        return elf_fail(f, ELF_DAMAGED, "section headers are cut short");
    for (size_t i = 0; i < f->header.e_shnum; i++) {
        Elf64_Shdr section = section_at(f, headers, i);
        if (section.sh_type != (symbols->is_dynamic ? SHT_DYNSYM : SHT_SYMTAB))
            continue;
        symbols->at = range_of(f, section.sh_offset, section.sh_size);
        symbols->size = section.sh_size;
        if (!symbols->at)
            return elf_fail(f, ELF_DAMAGED, symbols->is_dynamic ? "dynamic symbol table is cut short" : "symbol table is cut short");
        if (section.sh_link >= f->header.e_shnum)
            return ELF_YES;
        Elf64_Shdr names = section_at(f, headers, section.sh_link);
        if (names.sh_type == SHT_STRTAB)
            symbols->strings = strings_in(f, names.sh_offset, names.sh_size);
        return ELF_YES;
    }
    return ELF_NO;
}

/* The dynamic section does not tell how many there are. */
static enum elf_result symbols_of_dynamic(struct elf_file *f, struct symbols *symbols)
{
    uint64_t offset, left, size = f->dynamic.strtab - f->dynamic.symtab;
    if (!f->strings.at || !f->dynamic.symtab || f->dynamic.symtab >= f->dynamic.strtab)
        return ELF_NO;
    if (!find_loaded(f, f->dynamic.symtab, &offset, &left) || size > left || !(symbols->at = range_of(f, offset, size)))
        return elf_fail(f, ELF_DAMAGED, "dynamic symbol table is cut short");
    symbols->size = size;
    symbols->strings = f->strings;
    return ELF_YES;
}

static Elf64_Sym symbol_at(const struct elf_file *f, const unsigned char *at)
{
    return (Elf64_Sym){
        .st_info = (unsigned char)FIELD(f, at, Sym, st_info),
        .st_shndx = (Elf64_Half)FIELD(f, at, Sym, st_shndx),
        .st_value = FIELD(f, at, Sym, st_value),
        .st_size = FIELD(f, at, Sym, st_size),
    };
}

static enum elf_result visit_symbols(struct elf_file *f, const struct symbols *symbols,
                                     bool visit(void *context, const Elf64_Sym *, const char *name), void *context)
{
    for (uint64_t i = 1; i < symbols->size / SIZE_OF(f, Sym); i++) {
        const unsigned char *at = symbols->at + i * SIZE_OF(f, Sym);
        const char *name = string_at(&symbols->strings, FIELD(f, at, Sym, st_name), &f->names_length);
        if (f->names_length > ELF_MOST_BYTES)
            return elf_fail(f, ELF_DAMAGED, symbols->is_dynamic ? "names of dynamic symbols are too long in all" : "names of symbols are too long in all");
        Elf64_Sym symbol = symbol_at(f, at);
        if (name && !visit(context, &symbol, name))
            break;
    }
    return f->limit ? elf_fail(f, ELF_DAMAGED, f->limit) : ELF_YES;
}

enum elf_result elf_each_symbol(struct elf_file *f, bool visit(void *context, const Elf64_Sym *, const char *name), void *context)
{
    struct symbols symbols = { .is_dynamic = true };
    enum elf_result result = f->header.e_shnum ? symbols_of_sections(f, &symbols) : symbols_of_dynamic(f, &symbols);
    return result == ELF_YES ? visit_symbols(f, &symbols, visit, context) : result;
}

enum elf_result elf_each_linked_symbol(struct elf_file *f, bool visit(void *context, const Elf64_Sym *, const char *name), void *context)
{
    struct symbols symbols = { .is_dynamic = false };
    enum elf_result result = f->header.e_shnum ? symbols_of_sections(f, &symbols) : ELF_NO;
    return result == ELF_YES ? visit_symbols(f, &symbols, visit, context) : result;
}

static bool is_copy_relocation(const struct elf_file *f, uint64_t type)
{
    return (f->header.e_machine == EM_X86_64 && type == R_X86_64_COPY) || (f->header.e_machine == EM_AARCH64 && type == R_AARCH64_COPY);
}

/* The same for one section of relocations. */
static bool each_copied_of(struct elf_file *f, const Elf64_Shdr *section, const struct symbols *symbols,
                           bool visit(void *context, const Elf64_Sym *, const char *name), void *context)
{
    const unsigned char *relocations = range_of(f, section->sh_offset, section->sh_size);
    for (uint64_t i = 0; relocations && i < section->sh_size / SIZE_OF(f, Rela); i++) {
        uint64_t info = FIELD(f, relocations + i * SIZE_OF(f, Rela), Rela, r_info);
        if (!is_copy_relocation(f, ELF64_R_TYPE(info)) || ELF64_R_SYM(info) >= symbols->size / SIZE_OF(f, Sym))
            continue;
        const unsigned char *at = symbols->at + ELF64_R_SYM(info) * SIZE_OF(f, Sym);
        const char *name = string_at(&symbols->strings, FIELD(f, at, Sym, st_name), &f->names_length);
        if (f->names_length > ELF_MOST_BYTES)
            return false;
        Elf64_Sym symbol = symbol_at(f, at);
        if (name && !visit(context, &symbol, name))
            break;
    }
    return true;
}

enum elf_result elf_each_copied(struct elf_file *f, bool visit(void *context, const Elf64_Sym *, const char *name), void *context)
{
    struct symbols symbols = { .is_dynamic = true };
    enum elf_result result = f->header.e_shnum ? symbols_of_sections(f, &symbols) : ELF_NO;
    if (result != ELF_YES)
        return result;
    const unsigned char *headers = range_of(f, f->header.e_shoff, f->header.e_shnum * SIZE_OF(f, Shdr));
    for (size_t i = 0; headers && i < f->header.e_shnum; i++) {
        Elf64_Shdr section = section_at(f, headers, i);
        if (section.sh_type == SHT_RELA && !each_copied_of(f, &section, &symbols, visit, context))
            return elf_fail(f, ELF_DAMAGED, "names of dynamic symbols are too long in all");
    }
    return f->limit ? elf_fail(f, ELF_DAMAGED, f->limit) : ELF_YES;
}

const char *elf_symbol_text(struct elf_file *f, const Elf64_Sym *symbol)
{
    uint64_t offset, left;
    if (symbol->st_shndx == SHN_UNDEF || !find_loaded(f, symbol->st_value, &offset, &left))
        return NULL;
    struct elf_strings text = strings_in(f, offset, symbol->st_size);
    return text.size && *text.at ? string_at(&text, 0, &f->names_length) : NULL;
}

const unsigned char *elf_loaded(struct elf_file *f, uint64_t address, uint64_t size)
{
    uint64_t offset, left;
    return find_loaded(f, address, &offset, &left) && size <= left ? range_of(f, offset, size) : NULL;
}

/* ---------------------------------------------------------------- notes */

/* The build's mark among the notes of a section: sizes and a type, a name, and what the note says, in steps of 4 bytes. */
static const unsigned char *build_id_in(const struct elf_file *f, const unsigned char *notes, uint64_t left, size_t *size)
{
    static const char name[] = "GNU";
    while (notes && left >= sizeof(Elf64_Nhdr)) {
        uint64_t name_size = (number_at(f, notes, 4) + 3) & ~3ull, said = number_at(f, notes + 4, 4), type = number_at(f, notes + 8, 4);
        uint64_t begin = sizeof(Elf64_Nhdr) + name_size, end = begin + ((said + 3) & ~3ull);
        if (end > left)
            break;
        if (type == NT_GNU_BUILD_ID && name_size == sizeof name && memcmp(notes + sizeof(Elf64_Nhdr), name, sizeof name) == 0) {
            *size = (size_t)said;
            return notes + begin;
        }
        notes += end;
        left -= end;
    }
    return NULL;
}

/* Returns the next section, from a number on, that is in memory; or one without flags behind the last. */
static Elf64_Shdr next_in_memory(const struct elf_file *f, const unsigned char *headers, size_t *number)
{
    while (*number < f->header.e_shnum) {
        Elf64_Shdr section = section_at(f, headers, (*number)++);
        if (section.sh_flags & SHF_ALLOC)
            return section;
    }
    return (Elf64_Shdr){ .sh_flags = 0 };
}

bool elf_has_sections_of(struct elf_file *f, struct elf_file *other)
{
    const unsigned char *headers = range_of(f, f->header.e_shoff, f->header.e_shnum * SIZE_OF(f, Shdr));
    const unsigned char *other_headers = range_of(other, other->header.e_shoff, other->header.e_shnum * SIZE_OF(other, Shdr));
    size_t number = 0, other_number = 0;
    Elf64_Shdr section = { .sh_flags = SHF_ALLOC }, same = section;
    while (headers && other_headers && section.sh_flags && section.sh_addr == same.sh_addr && section.sh_size == same.sh_size &&
           ((section.sh_flags ^ same.sh_flags) & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR)) == 0) {
        section = next_in_memory(f, headers, &number);
        same = next_in_memory(other, other_headers, &other_number);
    }
    return headers && other_headers && number && !section.sh_flags && !same.sh_flags;
}

const unsigned char *elf_build_id(struct elf_file *f, size_t *size)
{
    const unsigned char *headers = range_of(f, f->header.e_shoff, f->header.e_shnum * SIZE_OF(f, Shdr)), *id = NULL;
    *size = 0;
    for (size_t i = 0; headers && i < f->header.e_shnum && !id; i++) {
        Elf64_Shdr section = section_at(f, headers, i);
        if (section.sh_type == SHT_NOTE)
            id = build_id_in(f, range_of(f, section.sh_offset, section.sh_size), section.sh_size, size);
    }
    return id;
}

/* ---------------------------------------------------------------- versions */

/* A table whose entries are linked by offsets, from an entry on. */
struct table {
    const unsigned char *at;
    uint64_t left;
};

static struct table table_at(struct elf_file *f, uint64_t address)
{
    struct table table = { NULL, 0 };
    uint64_t offset;
    if (!address || !find_loaded(f, address, &offset, &table.left))
        return table;
    if (table.left > ELF_MOST_VERSION_BYTES)
        table.left = ELF_MOST_VERSION_BYTES;
    table.at = range_of(f, offset, table.left);
    return table;
}

/* Moves to an entry of this size, and returns it; NULL at the table's end. Offsets only grow, so that a damaged table ends, too. */
static const unsigned char *entry_at(struct table *table, uint64_t offset, size_t size)
{
    if (!table->at || offset > table->left || table->left - offset < size)
        return NULL;
    table->at += offset;
    table->left -= offset;
    return table->at;
}

/* The next entry, by the offset that the last one has; NULL if that was the last. */
static const unsigned char *next_entry(struct table *table, uint64_t offset, size_t size)
{
    return offset ? entry_at(table, offset, size) : NULL;
}

static const char *version_text(struct elf_file *f, uint64_t offset)
{
    const char *text = string_at(&f->strings, offset, &f->names_length);
    return f->names_length > ELF_MOST_BYTES ? NULL : text;
}

/* Both classes have the same entries of versions. */
#define VERSION_FIELD(f, at, structure, name) number_at(f, (at) + offsetof(Elf64_##structure, name), sizeof((Elf64_##structure *)0)->name)

static void visit_versions_of(struct elf_file *f, struct table table, uint64_t offset, const char *library,
                              void visit(void *, const char *, const char *), void *context)
{
    const unsigned char *at = next_entry(&table, offset, sizeof(Elf64_Vernaux));
    for (; at; at = next_entry(&table, VERSION_FIELD(f, at, Vernaux, vna_next), sizeof(Elf64_Vernaux))) {
        const char *name = version_text(f, VERSION_FIELD(f, at, Vernaux, vna_name));
        if (name && !(VERSION_FIELD(f, at, Vernaux, vna_flags) & VER_FLG_WEAK))
            visit(context, library, name);
    }
}

void elf_each_needed_version(struct elf_file *f, void visit(void *context, const char *library, const char *name), void *context)
{
    struct table table = table_at(f, f->dynamic.verneed);
    const unsigned char *at = entry_at(&table, 0, sizeof(Elf64_Verneed));
    for (; at; at = next_entry(&table, VERSION_FIELD(f, at, Verneed, vn_next), sizeof(Elf64_Verneed))) {
        const char *library = version_text(f, VERSION_FIELD(f, at, Verneed, vn_file));
        if (library)
            visit_versions_of(f, table, VERSION_FIELD(f, at, Verneed, vn_aux), library, visit, context);
    }
}

void elf_each_defined_version(struct elf_file *f, void visit(void *context, const char *library, const char *name), void *context)
{
    struct table table = table_at(f, f->dynamic.verdef);
    const unsigned char *at = entry_at(&table, 0, sizeof(Elf64_Verdef));
    for (; at; at = next_entry(&table, VERSION_FIELD(f, at, Verdef, vd_next), sizeof(Elf64_Verdef))) {
        struct table names = table;
        const unsigned char *first = next_entry(&names, VERSION_FIELD(f, at, Verdef, vd_aux), sizeof(Elf64_Verdaux));
        const char *name = first ? version_text(f, VERSION_FIELD(f, first, Verdaux, vda_name)) : NULL;
        if (name && !(VERSION_FIELD(f, at, Verdef, vd_flags) & VER_FLG_BASE))
            visit(context, NULL, name);
    }
}

/* ---------------------------------------------------------------- the whole */

/* Opens a stranger's file only if it is a regular one: opening a device may do something. Falls back to the path where no /proc is. */
static int open_if_regular(const char *path)
{
    char again[32];
    struct stat status;
    int place = open(path, O_PATH | O_CLOEXEC);
    if (place < 0)
        return -1;
    int is_regular = fstat(place, &status) == 0 && S_ISREG(status.st_mode);
    snprintf(again, sizeof again, "/proc/self/fd/%d", place);
    int file = is_regular ? open(again, O_RDONLY | O_CLOEXEC) : place;
    if (file < 0 && errno == ENOENT)
        file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    int error = errno;
    if (file != place)
        close(place);
    errno = error;
    return file;
}

static enum elf_result open_regular(struct elf_file *f, const char *path, int fd)
{
    struct stat status;
    *f = (struct elf_file){ .path = path, .fd = fd };
    if (f->fd < 0)
        return elf_fail(f, ELF_UNREADABLE, strerror(errno));
    if (fstat(f->fd, &status) != 0 || !S_ISREG(status.st_mode))
        return elf_fail(f, ELF_UNREADABLE, "not a regular file");
    f->size = (uint64_t)status.st_size;
    return ELF_YES;
}

static enum elf_result read_headers(struct elf_file *f)
{
    const unsigned char *magic = range_of(f, 0, SELFMAG);
    if (!magic || memcmp(magic, ELFMAG, SELFMAG) != 0)
        return elf_fail(f, ELF_FOREIGN, "not an ELF file");
    if (!read_header(f))
        return elf_fail(f, ELF_DAMAGED, "ELF header is damaged");
    enum elf_result result = read_segments(f);
    return result == ELF_YES ? read_dynamic(f) : result;
}

enum elf_result elf_open(struct elf_file *f, const char *path)
{
    enum elf_result result = open_regular(f, path, open_if_regular(path));
    return result == ELF_YES ? read_headers(f) : result;
}

enum elf_result elf_open_mapped(struct elf_file *f, const char *path)
{
    /* A library that the process loads. O_NONBLOCK: a FIFO is refused, not waited for. */
    enum elf_result result = open_regular(f, path, open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (result != ELF_YES)
        return result;
    void *bytes = f->size ? mmap(NULL, (size_t)f->size, PROT_READ, MAP_PRIVATE, f->fd, 0) : MAP_FAILED;
    close(f->fd);
    f->fd = -1;
    if (bytes == MAP_FAILED)
        return elf_fail(f, ELF_UNREADABLE, "it cannot be mapped");
    f->mapped = bytes;
    return read_headers(f);
}

void elf_close(struct elf_file *f)
{
    for (struct elf_piece *next; f->pieces; f->pieces = next) {
        next = f->pieces->next;
        free(f->pieces);
    }
    if (f->mapped)
        munmap((void *)f->mapped, (size_t)f->size);
    if (f->fd >= 0)
        close(f->fd);
}
