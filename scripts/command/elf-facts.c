// SPDX-License-Identifier: BSD-3-Clause
// elf-facts: prints what mpi-adapter must know about an ELF file, one
// "key value" line a fact, or the libraries that it would load.  It never
// loads or runs the file, nor anything that the file names.

#include <libelf.h>
#include <stdio.h>
#include <string.h>

#include "elf-closure.h"
#include "elf-file.h"

// A name may hold any byte; one fact must stay one line.
static void print_fact(const char *key, const char *value)
{
    printf("%s ", key);
    for (; *value; value++)
        putchar((unsigned char)*value < ' ' || *value == 127 ? '?' : *value);
    putchar('\n');
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

static void print_entry(struct file *f, const GElf_Dyn *entry, void *unused)
{
    (void)unused;
    static const struct { int64_t tag; const char *key; } keys[] = {
        { DT_SONAME, "soname" }, { DT_NEEDED, "needed" },
        { DT_RPATH, "rpath" }, { DT_RUNPATH, "runpath" },
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].tag == entry->d_tag)
            print_fact(keys[i].key, entry_text(f, entry));
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
    const char *interpreter;
    if (!interpreter_of(f, &interpreter))
        return fail(EXIT_DAMAGED, f->path, "interpreter name is cut short");
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
        each_entry(f, print_entry, NULL);
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

static int report(const char *path, const struct question *question)
{
    struct file f;
    int code = elf_file_open(&f, path);
    if (code == EXIT_YES)
        code = question->symbols ? query_symbols(&f, question) : print_facts(&f);
    elf_file_close(&f);
    return code;
}

int main(int argc, char **argv)
{
    if (elf_version(EV_CURRENT) == EV_NONE)
        return fail(EXIT_DAMAGED, "libelf", "too old for this program");
    if (argc == 2 && argv[1][0] != '-')
        return report(argv[1], &(struct question){ .symbols = false });
    if (argc == 5 && strcmp(argv[1], "--closure") == 0)
        return closure(argv[4], argv[2], argv[3]);
    bool defines = argc > 2 && strcmp(argv[1], "--defines") == 0;
    bool imports = argc > 2 && strcmp(argv[1], "--imports") == 0;
    if ((defines || imports) && argc == 4)
        return report(argv[3], &(struct question){ true, defines, argv[2] });
    if ((defines || imports) && argc == 3)
        return report(argv[2], &(struct question){ true, defines, NULL });
    fputs("usage: elf-facts FILE | elf-facts --defines|--imports [SYMBOL] FILE | "
          "elf-facts --closure LIBRARY_PATH PRELOAD FILE\n", stderr);
    return EXIT_USAGE;
}
