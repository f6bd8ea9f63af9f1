// SPDX-License-Identifier: BSD-3-Clause
// elf-facts: prints what mpi-adapter must know about an ELF file, one
// "key value" line a fact.  It never loads or runs the file.

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    EXIT_YES = 0,        // facts printed, or the symbol is there
    EXIT_NO = 1,         // the symbol is not there
    EXIT_USAGE = 2,
    EXIT_UNREADABLE = 3, // no such file, no permission, not a regular file
    EXIT_NOT_ELF = 4,
    EXIT_DAMAGED = 5,    // an ELF file that contradicts itself or ends early
};

// What the dynamic section says, as offsets into its string table.
struct dynamic {
    bool present;
    GElf_Phdr segment;
    uint64_t strtab;
    uint64_t strsz;
    uint64_t flags_1;
};

struct file {
    const char *path;
    Elf *elf;
    GElf_Ehdr header;
    size_t segments;
    bool has_interpreter;
    GElf_Phdr interpreter;
    struct dynamic dynamic;
    const char *strings;
    size_t strings_size;
};

static int fail(int code, const char *path, const char *what)
{
    fprintf(stderr, "elf-facts: %s: %s\n", path, what);
    return code;
}

// A name may hold any byte; one fact must stay one line.
static void print_fact(const char *key, const char *value)
{
    printf("%s ", key);
    for (; *value; value++)
        putchar((unsigned char)*value < ' ' || *value == 127 ? '?' : *value);
    putchar('\n');
}

static const char *machine_name(unsigned machine)
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

static const char *type_name(unsigned type)
{
    switch (type) {
    case ET_EXEC: return "exec";
    case ET_DYN: return "dyn";
    case ET_REL: return "rel";
    case ET_CORE: return "core";
    default: return "other";
    }
}

// The bytes of a file range, or NULL when the file does not hold them all.
static Elf_Data *chunk(struct file *f, uint64_t offset, uint64_t size, Elf_Type type)
{
    if (size == 0 || size > SIZE_MAX || offset > INT64_MAX)
        return NULL;
    return elf_getdata_rawchunk(f->elf, (int64_t)offset, size, type);
}

// A C string inside a chunk, or NULL when it has no end there.
static const char *string_at(const char *strings, size_t size, uint64_t offset)
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

static int read_segments(struct file *f)
{
    // libelf counts none when the table does not fit in the file.
    if (elf_getphdrnum(f->elf, &f->segments) != 0 ||
        (f->segments == 0 && f->header.e_phnum != 0))
        return fail(EXIT_DAMAGED, f->path, "program headers are unreadable");
    for (size_t i = 0; i < f->segments; i++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(f->elf, (int)i, &segment))
            return fail(EXIT_DAMAGED, f->path, "program headers are cut short");
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

// Calls visit for each entry up to DT_NULL; false when the section is cut short.
static bool each_entry(struct file *f, void visit(struct file *, const GElf_Dyn *))
{
    const GElf_Phdr *segment = &f->dynamic.segment;
    Elf_Data *data = chunk(f, segment->p_offset, segment->p_filesz, ELF_T_DYN);
    if (!data)
        return false;
    GElf_Dyn entry;
    for (int i = 0; gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++)
        visit(f, &entry);
    return true;
}

static void note_entry(struct file *f, const GElf_Dyn *entry)
{
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
    if (!each_entry(f, note_entry))
        return fail(EXIT_DAMAGED, f->path, "dynamic section is cut short");
    if (!file_offset(f, f->dynamic.strtab, &offset))
        return fail(EXIT_DAMAGED, f->path, "dynamic string table is outside the file");
    Elf_Data *data = chunk(f, offset, f->dynamic.strsz, ELF_T_BYTE);
    if (!data)
        return fail(EXIT_DAMAGED, f->path, "dynamic string table is cut short");
    f->strings = data->d_buf;
    f->strings_size = data->d_size;
    return EXIT_YES;
}

static void print_entry(struct file *f, const GElf_Dyn *entry)
{
    static const struct { int64_t tag; const char *key; } keys[] = {
        { DT_SONAME, "soname" }, { DT_NEEDED, "needed" },
        { DT_RPATH, "rpath" }, { DT_RUNPATH, "runpath" },
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].tag == entry->d_tag) {
            const char *text = string_at(f->strings, f->strings_size, entry->d_un.d_val);
            print_fact(keys[i].key, text ? text : "");
        }
}

// A shared library has no interpreter either, but is not marked as a
// position-independent executable.
static const char *linkage(const struct file *f)
{
    if (f->has_interpreter)
        return "dynamic";
    if (f->header.e_type == ET_DYN && !(f->dynamic.flags_1 & DF_1_PIE))
        return "library";
    return f->header.e_type == ET_REL || f->header.e_type == ET_CORE ? "none" : "static";
}

static int print_facts(struct file *f)
{
    const char *interpreter = NULL;
    if (f->has_interpreter) {
        Elf_Data *data = chunk(f, f->interpreter.p_offset, f->interpreter.p_filesz, ELF_T_BYTE);
        interpreter = data ? string_at(data->d_buf, data->d_size, 0) : NULL;
        if (!interpreter)
            return fail(EXIT_DAMAGED, f->path, "interpreter name is cut short");
    }
    const char *machine = machine_name(f->header.e_machine);
    printf("class %d\n", gelf_getclass(f->elf) == ELFCLASS64 ? 64 : 32);
    printf("order %s\n", f->header.e_ident[EI_DATA] == ELFDATA2MSB ? "big" : "little");
    if (machine)
        print_fact("machine", machine);
    else
        printf("machine %u\n", (unsigned)f->header.e_machine);
    print_fact("type", type_name(f->header.e_type));
    print_fact("linkage", linkage(f));
    if (interpreter)
        print_fact("interpreter", interpreter);
    if (f->dynamic.present)
        each_entry(f, print_entry);
    return EXIT_YES;
}

// What is asked of a file: its facts; whether it defines or imports one
// symbol; or the names of all that it does.
struct question {
    bool symbols;
    bool defined;
    const char *name;   // NULL: all
};

// Prints the symbols that are asked for, or stops at the one.
static bool each_symbol(struct file *f, Elf_Data *symbols, const GElf_Shdr *section,
                        const struct question *question)
{
    GElf_Sym symbol;
    for (int i = 1; gelf_getsym(symbols, i, &symbol); i++) {
        if ((symbol.st_shndx != SHN_UNDEF) != question->defined)
            continue;
        const char *text = elf_strptr(f->elf, section->sh_link, symbol.st_name);
        if (!text)
            continue;
        if (!question->name)
            print_fact(GELF_ST_TYPE(symbol.st_info) == STT_OBJECT ? "object" : "function", text);
        else if (strcmp(text, question->name) == 0)
            return true;
    }
    return !question->name;
}

static int query_symbols(struct file *f, const struct question *question)
{
    Elf_Scn *scn = NULL;
    while ((scn = elf_nextscn(f->elf, scn))) {
        GElf_Shdr section;
        if (!gelf_getshdr(scn, &section))
            return fail(EXIT_DAMAGED, f->path, "section headers are cut short");
        if (section.sh_type != SHT_DYNSYM)
            continue;
        Elf_Data *symbols = elf_getdata(scn, NULL);
        if (!symbols)
            return fail(EXIT_DAMAGED, f->path, "dynamic symbol table is cut short");
        return each_symbol(f, symbols, &section, question) ? EXIT_YES : EXIT_NO;
    }
    return EXIT_NO;
}

static int open_regular(const char *path, int *fd)
{
    struct stat status;
    // O_NONBLOCK: a FIFO must be refused, not waited for.
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0)
        return fail(EXIT_UNREADABLE, path, strerror(errno));
    if (fstat(*fd, &status) == 0 && S_ISREG(status.st_mode))
        return EXIT_YES;
    close(*fd);
    return fail(EXIT_UNREADABLE, path, "not a regular file");
}

// Asked of the file and not of libelf, for which a file that ends in its
// ELF header is no ELF file at all.
static bool has_magic(int fd)
{
    char magic[SELFMAG];
    return pread(fd, magic, SELFMAG, 0) == SELFMAG && memcmp(magic, ELFMAG, SELFMAG) == 0;
}

static int read_elf(struct file *f)
{
    if (elf_kind(f->elf) != ELF_K_ELF || !gelf_getehdr(f->elf, &f->header))
        return fail(EXIT_DAMAGED, f->path, "ELF header is damaged");
    int code = read_segments(f);
    return code == EXIT_YES ? read_dynamic(f) : code;
}

static int report(const char *path, const struct question *question)
{
    struct file f = { .path = path };
    int fd;
    int code = open_regular(path, &fd);
    if (code != EXIT_YES)
        return code;
    // Reading, not mapping: a file that shrinks meanwhile must not end in SIGBUS.
    f.elf = elf_begin(fd, ELF_C_READ, NULL);
    code = has_magic(fd) ? read_elf(&f) : fail(EXIT_NOT_ELF, path, "not an ELF file");
    if (code == EXIT_YES)
        code = question->symbols ? query_symbols(&f, question) : print_facts(&f);
    elf_end(f.elf);
    close(fd);
    return code;
}

int main(int argc, char **argv)
{
    if (elf_version(EV_CURRENT) == EV_NONE)
        return fail(EXIT_DAMAGED, "libelf", "too old for this program");
    if (argc == 2 && argv[1][0] != '-')
        return report(argv[1], &(struct question){ .symbols = false });
    bool defines = argc > 2 && strcmp(argv[1], "--defines") == 0;
    bool imports = argc > 2 && strcmp(argv[1], "--imports") == 0;
    if ((defines || imports) && argc == 4)
        return report(argv[3], &(struct question){ true, defines, argv[2] });
    if ((defines || imports) && argc == 3)
        return report(argv[2], &(struct question){ true, defines, NULL });
    fputs("usage: elf-facts FILE | elf-facts --defines|--imports [SYMBOL] FILE\n", stderr);
    return EXIT_USAGE;
}
