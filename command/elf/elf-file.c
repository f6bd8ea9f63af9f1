// SPDX-License-Identifier: BSD-3-Clause
#include "elf-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int fail(struct file *f, int code, const char *what)
{
    f->problem = what;
    return code;
}

const char *machine_name(unsigned machine)
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

const char *string_at(const struct strings *strings, uint64_t offset)
{
    if (offset >= strings->size || !memchr(strings->at + offset, 0, strings->size - offset))
        return NULL;
    return strings->at + offset;
}

// None, if the file does not hold them all.
static struct strings strings_in(struct file *f, uint64_t offset, uint64_t size)
{
    const char *at = (const char *)chunk(&f->bytes, offset, size);
    return (struct strings){ at, at ? size : 0 };
}

// ---------------------------------------------------------------- headers

static bool read_header(struct file *f)
{
    struct elf_bytes *bytes = &f->bytes;
    const unsigned char *ident = chunk(bytes, 0, EI_NIDENT);
    if (!ident || ident[EI_VERSION] != EV_CURRENT || ident[EI_CLASS] < ELFCLASS32 || ident[EI_CLASS] > ELFCLASS64 ||
        ident[EI_DATA] < ELFDATA2LSB || ident[EI_DATA] > ELFDATA2MSB)
        return false;
    bytes->is_64 = ident[EI_CLASS] == ELFCLASS64;
    bytes->is_big_endian = ident[EI_DATA] == ELFDATA2MSB;
    const unsigned char *at = chunk(bytes, 0, SIZE_OF(bytes, Ehdr));
    if (!at)
        return false;
    memcpy(f->header.e_ident, ident, EI_NIDENT);
    f->header.e_type = (Elf64_Half)FIELD(bytes, at, Ehdr, e_type);
    f->header.e_machine = (Elf64_Half)FIELD(bytes, at, Ehdr, e_machine);
    f->header.e_phoff = FIELD(bytes, at, Ehdr, e_phoff);
    f->header.e_phnum = (Elf64_Half)FIELD(bytes, at, Ehdr, e_phnum);
    f->header.e_shoff = FIELD(bytes, at, Ehdr, e_shoff);
    f->header.e_shnum = (Elf64_Half)FIELD(bytes, at, Ehdr, e_shnum);
    return true;
}

static Elf64_Phdr segment_at(const struct file *f, size_t number)
{
    const struct elf_bytes *bytes = &f->bytes;
    const unsigned char *at = f->segments + number * SIZE_OF(bytes, Phdr);
    return (Elf64_Phdr){
        .p_type = (Elf64_Word)FIELD(bytes, at, Phdr, p_type),
        .p_offset = FIELD(bytes, at, Phdr, p_offset),
        .p_vaddr = FIELD(bytes, at, Phdr, p_vaddr),
        .p_filesz = FIELD(bytes, at, Phdr, p_filesz),
    };
}

static bool file_offset(struct file *f, uint64_t address, uint64_t *offset)
{
    for (size_t i = 0; i < f->header.e_phnum; i++) {
        Elf64_Phdr segment = segment_at(f, i);
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz) {
            *offset = segment.p_offset + (address - segment.p_vaddr);
            return true;
        }
    }
    return false;
}

// Whether the file ends ahead of what the loader would map of it. The loader does not ask: the program dies of SIGBUS.
static bool is_cut_short(const struct file *f, const Elf64_Phdr *segment)
{
    return segment->p_type == PT_LOAD &&
           (segment->p_offset > f->bytes.size || segment->p_filesz > f->bytes.size - segment->p_offset);
}

static int read_segments(struct file *f)
{
    f->segments = chunk(&f->bytes, f->header.e_phoff, f->header.e_phnum * SIZE_OF(&f->bytes, Phdr));
    if (!f->segments && f->header.e_phnum != 0)
        return fail(f, EXIT_DAMAGED, "program headers are cut short");
    for (size_t i = 0; i < f->header.e_phnum; i++) {
        Elf64_Phdr segment = segment_at(f, i);
        f->cut_short = f->cut_short || is_cut_short(f, &segment);
        if (segment.p_type == PT_INTERP) {
            f->has_interpreter = true;
            f->interpreter = segment;
        } else if (segment.p_type == PT_DYNAMIC) {
            f->dynamic.present = true;
            f->dynamic.segment = segment;
        }
    }
    return EXIT_YES;
}

bool each_entry(struct file *f, void visit(struct file *, const Elf64_Dyn *, void *), void *context)
{
    const struct elf_bytes *bytes = &f->bytes;
    uint64_t left = f->dynamic.segment.p_filesz;
    const unsigned char *at = chunk(&f->bytes, f->dynamic.segment.p_offset, left);
    if (!at)
        return false;
    for (; left >= SIZE_OF(bytes, Dyn); left -= SIZE_OF(bytes, Dyn), at += SIZE_OF(bytes, Dyn)) {
        Elf64_Dyn entry = { (Elf64_Sxword)FIELD(bytes, at, Dyn, d_tag), { FIELD(bytes, at, Dyn, d_un.d_val) } };
        if (entry.d_tag == DT_NULL)
            break;
        visit(f, &entry, context);
    }
    return true;
}

static void note_entry(struct file *f, const Elf64_Dyn *entry, void *unused)
{
    (void)unused;
    switch (entry->d_tag) {
    case DT_STRTAB: f->dynamic.strtab = entry->d_un.d_ptr; break;
    case DT_STRSZ: f->dynamic.strsz = entry->d_un.d_val; break;
    case DT_FLAGS_1: f->dynamic.flags_1 = entry->d_un.d_val; break;
    default: break;
    }
}

static int read_dynamic(struct file *f)
{
    uint64_t offset;
    if (!f->dynamic.present)
        return EXIT_YES;
    if (!each_entry(f, note_entry, NULL))
        return fail(f, EXIT_DAMAGED, "dynamic section is cut short");
    if (!file_offset(f, f->dynamic.strtab, &offset))
        return fail(f, EXIT_DAMAGED, "dynamic string table is outside the file");
    f->strings = strings_in(f, offset, f->dynamic.strsz);
    if (!f->strings.at)
        return fail(f, EXIT_DAMAGED, "dynamic string table is cut short");
    return EXIT_YES;
}

const char *entry_text(const struct file *f, const Elf64_Dyn *entry)
{
    const char *text = string_at(&f->strings, entry->d_un.d_val);
    return text ? text : "";
}

bool interpreter_of(struct file *f, const char **name)
{
    *name = NULL;
    if (!f->has_interpreter)
        return true;
    struct strings strings = strings_in(f, f->interpreter.p_offset, f->interpreter.p_filesz);
    *name = string_at(&strings, 0);
    return *name != NULL;
}

static int open_regular(struct file *f)
{
    struct stat status;
    // O_NONBLOCK: a FIFO must be refused, not waited for.
    f->bytes.fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (f->bytes.fd < 0)
        return fail(f, EXIT_UNREADABLE, strerror(errno));
    if (fstat(f->bytes.fd, &status) != 0 || !S_ISREG(status.st_mode))
        return fail(f, EXIT_UNREADABLE, "not a regular file");
    f->bytes.size = (uint64_t)status.st_size;
    return EXIT_YES;
}

// ---------------------------------------------------------------- sections

const unsigned char *section_headers(struct file *f)
{
    struct elf_bytes *bytes = &f->bytes;
    return chunk(bytes, f->header.e_shoff, f->header.e_shnum * SIZE_OF(bytes, Shdr));
}

Elf64_Shdr section_at(struct file *f, const unsigned char *headers, size_t number)
{
    const struct elf_bytes *bytes = &f->bytes;
    const unsigned char *at = headers + number * SIZE_OF(bytes, Shdr);
    return (Elf64_Shdr){
        .sh_type = (Elf64_Word)FIELD(bytes, at, Shdr, sh_type),
        .sh_offset = FIELD(bytes, at, Shdr, sh_offset),
        .sh_size = FIELD(bytes, at, Shdr, sh_size),
        .sh_link = (Elf64_Word)FIELD(bytes, at, Shdr, sh_link),
    };
}

const unsigned char *section_bytes(struct file *f, const Elf64_Shdr *section)
{
    return chunk(&f->bytes, section->sh_offset, section->sh_size);
}

struct strings section_strings(struct file *f, const unsigned char *headers, size_t number)
{
    if (number >= f->header.e_shnum)
        return (struct strings){ NULL, 0 };
    Elf64_Shdr section = section_at(f, headers, number);
    return section.sh_type == SHT_STRTAB ? strings_in(f, section.sh_offset, section.sh_size) : (struct strings){ NULL, 0 };
}

// The first symbol has no name.
static void visit_symbols(struct file *f, const unsigned char *symbols, uint64_t size, const struct strings *strings,
                          bool visit(void *context, const Elf64_Sym *, const char *name), void *context)
{
    const struct elf_bytes *bytes = &f->bytes;
    for (size_t i = 1; i < size / SIZE_OF(bytes, Sym); i++) {
        const unsigned char *at = symbols + i * SIZE_OF(bytes, Sym);
        Elf64_Sym symbol = {
            .st_info = (unsigned char)FIELD(bytes, at, Sym, st_info),
            .st_shndx = (Elf64_Half)FIELD(bytes, at, Sym, st_shndx),
            .st_value = FIELD(bytes, at, Sym, st_value),
            .st_size = FIELD(bytes, at, Sym, st_size),
        };
        const char *name = string_at(strings, FIELD(bytes, at, Sym, st_name));
        if (name && !visit(context, &symbol, name))
            return;
    }
}

int each_symbol(struct file *f, bool visit(void *context, const Elf64_Sym *, const char *name), void *context)
{
    const unsigned char *headers = section_headers(f);
    if (!headers)
        return f->header.e_shnum ? fail(f, EXIT_DAMAGED, "section headers are cut short") : EXIT_NO;
    for (size_t i = 0; i < f->header.e_shnum; i++) {
        Elf64_Shdr section = section_at(f, headers, i);
        if (section.sh_type != SHT_DYNSYM)
            continue;
        const unsigned char *symbols = section_bytes(f, &section);
        struct strings strings = section_strings(f, headers, section.sh_link);
        if (!symbols)
            return fail(f, EXIT_DAMAGED, "dynamic symbol table is cut short");
        visit_symbols(f, symbols, section.sh_size, &strings, visit, context);
        return EXIT_YES;
    }
    return EXIT_NO;
}

const char *symbol_text(struct file *f, const Elf64_Sym *symbol)
{
    uint64_t offset;
    if (symbol->st_shndx == SHN_UNDEF || !file_offset(f, symbol->st_value, &offset))
        return NULL;
    struct strings text = strings_in(f, offset, symbol->st_size);
    return text.size && *text.at ? string_at(&text, 0) : NULL;
}

// ---------------------------------------------------------------- the whole

static bool has_text(const char *bytes, size_t size, const char *text)
{
    size_t length = strlen(text);
    const char *at = bytes, *end = bytes + size;
    while ((size_t)(end - at) >= length && (at = memchr(at, text[0], (size_t)(end - at) - length + 1))) {
        if (memcmp(at, text, length) == 0)
            return true;
        at++;
    }
    return false;
}

enum { BLOCK = 1 << 16, LONGEST_TEXT = 200 };

int contains(struct file *f, const char *text)
{
    // Each block begins with the end of the one before it, in which the text may begin.
    static char bytes[LONGEST_TEXT + BLOCK];
    size_t kept = 0;
    ssize_t read;
    if (!*text || strlen(text) > LONGEST_TEXT)
        return EXIT_USAGE;
    for (off_t at = 0; (read = pread(f->bytes.fd, bytes + kept, BLOCK, at)) > 0; at += read) {
        size_t size = kept + (size_t)read;
        if (has_text(bytes, size, text))
            return EXIT_YES;
        kept = size < LONGEST_TEXT ? size : LONGEST_TEXT;
        memmove(bytes, bytes + size - kept, kept);
    }
    return EXIT_NO;
}

int elf_file_open(struct file *f, const char *path)
{
    *f = (struct file){ .path = path, .bytes.fd = -1 };
    int code = open_regular(f);
    if (code != EXIT_YES)
        return code;
    const unsigned char *magic = chunk(&f->bytes, 0, SELFMAG);
    if (!magic || memcmp(magic, ELFMAG, SELFMAG) != 0)
        return fail(f, EXIT_NOT_ELF, "not an ELF file");
    if (!read_header(f))
        return fail(f, EXIT_DAMAGED, "ELF header is damaged");
    code = read_segments(f);
    return code == EXIT_YES ? read_dynamic(f) : code;
}

void elf_file_close(struct file *f)
{
    pieces_free(&f->bytes);
    if (f->bytes.fd >= 0)
        close(f->bytes.fd);
}
