// SPDX-License-Identifier: BSD-3-Clause
#include "elf-file.h"

#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
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

Elf_Data *chunk(struct file *f, uint64_t offset, uint64_t size, Elf_Type type)
{
    if (size == 0 || size > SIZE_MAX || offset > INT64_MAX)
        return NULL;
    return elf_getdata_rawchunk(f->elf, (int64_t)offset, size, type);
}

const char *string_at(const char *strings, size_t size, uint64_t offset)
{
    if (!strings || offset >= size || !memchr(strings + offset, 0, size - offset))
        return NULL;
    return strings + offset;
}

static bool file_offset(struct file *f, uint64_t address, uint64_t *offset)
{
    for (size_t i = 0; i < f->segments; i++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(f->elf, (int)i, &segment) || segment.p_type != PT_LOAD)
            continue;
        if (address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz) {
            *offset = segment.p_offset + (address - segment.p_vaddr);
            return true;
        }
    }
    return false;
}

// Whether the file ends ahead of what the loader would map of it. The loader does not ask: the program dies of SIGBUS.
static bool is_cut_short(const struct file *f, const GElf_Phdr *segment)
{
    struct stat status;
    return segment->p_type == PT_LOAD && fstat(f->fd, &status) == 0 &&
           (segment->p_offset > (uint64_t)status.st_size || segment->p_filesz > (uint64_t)status.st_size - segment->p_offset);
}

static int read_segments(struct file *f)
{
    // libelf counts none when the table does not fit in the file.
    if (elf_getphdrnum(f->elf, &f->segments) != 0 ||
        (f->segments == 0 && f->header.e_phnum != 0))
        return fail(f, EXIT_DAMAGED, "program headers are unreadable");
    for (size_t i = 0; i < f->segments; i++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(f->elf, (int)i, &segment))
            return fail(f, EXIT_DAMAGED, "program headers are cut short");
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

bool each_entry(struct file *f, void visit(struct file *, const GElf_Dyn *, void *), void *context)
{
    const GElf_Phdr *segment = &f->dynamic.segment;
    Elf_Data *data = chunk(f, segment->p_offset, segment->p_filesz, ELF_T_DYN);
    if (!data)
        return false;
    GElf_Dyn entry;
    for (int i = 0; gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++)
        visit(f, &entry, context);
    return true;
}

static void note_entry(struct file *f, const GElf_Dyn *entry, void *unused)
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
    Elf_Data *data = chunk(f, offset, f->dynamic.strsz, ELF_T_BYTE);
    if (!data)
        return fail(f, EXIT_DAMAGED, "dynamic string table is cut short");
    f->strings = data->d_buf;
    f->strings_size = data->d_size;
    return EXIT_YES;
}

const char *entry_text(const struct file *f, const GElf_Dyn *entry)
{
    const char *text = string_at(f->strings, f->strings_size, entry->d_un.d_val);
    return text ? text : "";
}

bool interpreter_of(struct file *f, const char **name)
{
    *name = NULL;
    if (!f->has_interpreter)
        return true;
    Elf_Data *data = chunk(f, f->interpreter.p_offset, f->interpreter.p_filesz, ELF_T_BYTE);
    *name = data ? string_at(data->d_buf, data->d_size, 0) : NULL;
    return *name != NULL;
}

static int open_regular(struct file *f)
{
    struct stat status;
    // O_NONBLOCK: a FIFO must be refused, not waited for.
    f->fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (f->fd < 0)
        return fail(f, EXIT_UNREADABLE, strerror(errno));
    if (fstat(f->fd, &status) == 0 && S_ISREG(status.st_mode))
        return EXIT_YES;
    return fail(f, EXIT_UNREADABLE, "not a regular file");
}

// Asked of the file and not of libelf, for which a file that ends in its
// ELF header is no ELF file at all.
static bool has_magic(int fd)
{
    char magic[SELFMAG];
    return pread(fd, magic, SELFMAG, 0) == SELFMAG && memcmp(magic, ELFMAG, SELFMAG) == 0;
}

static void visit_symbols(struct file *f, Elf_Data *symbols, const GElf_Shdr *section,
                          bool visit(void *context, const GElf_Sym *, const char *name), void *context)
{
    GElf_Sym symbol;
    for (int i = 1; gelf_getsym(symbols, i, &symbol); i++) {
        const char *name = elf_strptr(f->elf, section->sh_link, symbol.st_name);
        if (name && !visit(context, &symbol, name))
            return;
    }
}

int each_symbol(struct file *f, bool visit(void *context, const GElf_Sym *, const char *name), void *context)
{
    Elf_Scn *scn = NULL;
    while ((scn = elf_nextscn(f->elf, scn))) {
        GElf_Shdr section;
        if (!gelf_getshdr(scn, &section))
            return fail(f, EXIT_DAMAGED, "section headers are cut short");
        if (section.sh_type != SHT_DYNSYM)
            continue;
        Elf_Data *symbols = elf_getdata(scn, NULL);
        if (!symbols)
            return fail(f, EXIT_DAMAGED, "dynamic symbol table is cut short");
        visit_symbols(f, symbols, &section, visit, context);
        return EXIT_YES;
    }
    return EXIT_NO;
}

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
    for (off_t at = 0; (read = pread(f->fd, bytes + kept, BLOCK, at)) > 0; at += read) {
        size_t size = kept + (size_t)read;
        if (has_text(bytes, size, text))
            return EXIT_YES;
        kept = size < LONGEST_TEXT ? size : LONGEST_TEXT;
        memmove(bytes, bytes + size - kept, kept);
    }
    return EXIT_NO;
}

static int read_elf(struct file *f)
{
    if (elf_kind(f->elf) != ELF_K_ELF || !gelf_getehdr(f->elf, &f->header))
        return fail(f, EXIT_DAMAGED, "ELF header is damaged");
    int code = read_segments(f);
    return code == EXIT_YES ? read_dynamic(f) : code;
}

int elf_file_open(struct file *f, const char *path)
{
    *f = (struct file){ .path = path, .fd = -1 };
    int code = open_regular(f);
    if (code != EXIT_YES)
        return code;
    // Reading, not mapping: a file that shrinks meanwhile must not end in SIGBUS.
    f->elf = elf_begin(f->fd, ELF_C_READ, NULL);
    return has_magic(f->fd) ? read_elf(f) : fail(f, EXIT_NOT_ELF, "not an ELF file");
}

void elf_file_close(struct file *f)
{
    elf_end(f->elf);
    if (f->fd >= 0)
        close(f->fd);
}
