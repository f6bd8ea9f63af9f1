// SPDX-License-Identifier: BSD-3-Clause
// elf-facts: prints what mpi-adapter must know about an ELF file, one
// "key value" line a fact, or the libraries that it would load.  It never
// loads or runs the file, nor anything that the file names.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf-closure.h"
#include "elf-conflicts.h"
#include "elf-contains.h"
#include "elf-unbound.h"
#include "elf-unmet.h"
#include "elf-versions.h"

// A name may hold any byte; one fact must stay one line.
static void print_text(const char *text, char end)
{
    for (; *text; text++)
        putchar((unsigned char)*text < ' ' || *text == 127 ? '?' : *text);
    putchar(end);
}

static void print_fact(const char *key, const char *value)
{
    printf("%s ", key);
    print_text(value, '\n');
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

static void print_entry(struct elf_file *f, const Elf64_Dyn *entry, void *unused)
{
    (void)unused;
    static const struct { int64_t tag; const char *key; } keys[] = {
        { DT_SONAME, "soname" }, { DT_NEEDED, "needed" },
        { DT_RPATH, "rpath" }, { DT_RUNPATH, "runpath" },
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].tag == entry->d_tag)
            print_fact(keys[i].key, elf_entry_text(f, entry));
}

// A shared library has no interpreter either, but is not marked as a
// position-independent executable.
static const char *linkage(const struct elf_file *f)
{
    if (f->has_interpreter)
        return "dynamic";
    if (f->header.e_type == ET_DYN && !(f->dynamic.flags_1 & DF_1_PIE))
        return "library";
    return f->header.e_type == ET_REL || f->header.e_type == ET_CORE ? "none" : "static";
}

static int print_facts(struct elf_file *f)
{
    const char *interpreter;
    if (!elf_interpreter(f, &interpreter))
        return elf_fail(f, ELF_DAMAGED, "interpreter name is cut short");
    if (f->cut_short)
        return elf_fail(f, ELF_DAMAGED, "its end is missing");
    const char *machine = elf_machine_name(f->header.e_machine);
    printf("class %d\n", f->is_64 ? 64 : 32);
    printf("order %s\n", f->header.e_ident[EI_DATA] == ELFDATA2MSB ? "big" : "little");
    if (machine)
        print_fact("machine", machine);
    else
        printf("machine %u\n", (unsigned)f->header.e_machine);
    print_fact("type", type_name(f->header.e_type));
    print_fact("linkage", linkage(f));
    if (interpreter)
        print_fact("interpreter", interpreter);
    if (!elf_each_entry(f, print_entry, NULL))
        return elf_fail(f, ELF_DAMAGED, f->limit);
    return ELF_YES;
}

// The question about a file: its facts; whether it defines or imports one symbol; or the names of all symbols that it does.
struct question {
    bool symbols;
    bool defined;
    const char *name;   // NULL: all
    bool found;
};

// Prints a symbol that is asked for, or stops at the one.
static bool answer_symbol(void *context, const Elf64_Sym *symbol, const char *name)
{
    struct question *question = context;
    if ((symbol->st_shndx != SHN_UNDEF) != question->defined)
        return true;
    if (question->name) {
        question->found = strcmp(name, question->name) == 0;
    } else {
        question->found = true;
        print_fact(ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT ? "object" : "function", name);
    }
    return !question->name || !question->found;
}

static int query_symbols(struct elf_file *f, struct question *question)
{
    int code = elf_each_symbol(f, answer_symbol, question);
    return code == ELF_YES && question->name && !question->found ? ELF_NO : code;
}

static int complain(int code, const char *path, const char *what)
{
    if (what)
        fprintf(stderr, "elf-facts: %s: %s\n", path, what);
    return code;
}

static int report_file(const char *path, struct question question)
{
    struct elf_file f;
    int code = elf_open(&f, path);
    if (code == ELF_YES)
        code = question.symbols ? query_symbols(&f, &question) : print_facts(&f);
    elf_close(&f);
    return complain(code, path, f.problem);
}

static int report_text(const char *path, const char *text)
{
    struct elf_file f;
    int code = elf_open(&f, path);
    if (code == ELF_YES)
        code = elf_contains(&f, text);
    elf_close(&f);
    return complain(code, path, f.problem);
}

static int report_release(const char *path, const char *start)
{
    struct elf_file f;
    char release[RELEASE_ROOM];
    int code = elf_open(&f, path);
    if (code == ELF_YES)
        code = elf_only_release(&f, start, release);
    if (code == ELF_YES)
        print_text(release, '\n');
    elf_close(&f);
    return complain(code, path, f.problem);
}

static int report_closure(const char *path, const char *library_path, const char *preload)
{
    struct closure closure;
    int code = closure_read(&closure, path, library_path, preload);
    for (size_t i = 0; i < closure.count; i++) {
        print_text(closure.libraries[i].name, '\t');
        print_text(closure.libraries[i].path ? closure.libraries[i].path : "", '\n');
    }
    closure_free(&closure);
    return complain(code, path, closure.problem);
}

static int report_versions(const char *path)
{
    struct versions versions;
    int code = versions_read(&versions, path);
    for (size_t i = 0; i < versions.count; i++) {
        printf(versions.all[i].library ? "needed " : "defined ");
        if (versions.all[i].library)
            print_text(versions.all[i].library, ' ');
        print_text(versions.all[i].name, '\n');
    }
    versions_free(&versions);
    return code;
}

static void print_unmet(const char *by, const char *library, const char *version)
{
    print_text(by, '\t');
    print_text(library, '\t');
    print_text(version, '\n');
}

static int report_unmet(const char *path, const char *library_path, const char *preload)
{
    struct closure closure;
    int code = closure_read(&closure, path, library_path, preload);
    if (code == ELF_YES)
        each_unmet(&closure, path, print_unmet);
    closure_free(&closure);
    return complain(code, path, closure.problem);
}

static void print_unbound(const char *by, const char *symbol)
{
    print_text(by, '\t');
    print_text(symbol, '\n');
}

static int report_unbound(char **words)
{
    struct closure closure;
    int code = closure_read(&closure, words[3], words[0], words[1]);
    if (code == ELF_YES)
        each_unbound(&closure, words[3], words[2], print_unbound);
    closure_free(&closure);
    return complain(code, words[3], closure.problem);
}

// The text that a file has as data of this name.
struct text_question {
    struct elf_file file;
    const char *name;
    bool found;
};

static bool print_symbol_text(void *context, const Elf64_Sym *symbol, const char *name)
{
    struct text_question *question = context;
    const char *text = strcmp(name, question->name) == 0 ? elf_symbol_text(&question->file, symbol) : NULL;
    if (text)
        print_text(text, '\n');
    question->found = question->found || text;
    return !text;
}

static int report_symbol_text(const char *path, const char *name)
{
    struct text_question question = { .name = name };
    int code = elf_open(&question.file, path);
    if (code == ELF_YES)
        code = elf_each_symbol(&question.file, print_symbol_text, &question);
    elf_close(&question.file);
    return complain(code == ELF_YES && !question.found ? ELF_NO : code, path, question.file.problem);
}

static void print_conflict(const struct conflict *conflict, void *unused)
{
    static const char *const kinds[] = {
        [CONFLICT_FIRST] = "first", [CONFLICT_APART] = "apart", [CONFLICT_ONE] = "preload", [CONFLICT_REFUSED] = "refused",
    };
    bool is_servable = conflict->kind == CONFLICT_REFUSED && conflict->host_serves_both;
    char *text = conflict_text(conflict);
    (void)unused;
    print_text(is_servable ? "preload" : kinds[conflict->kind], '\t');
    print_text(conflict->host, '\t');
    print_text(text, '\n');
    free(text);
}

// PAIR is its folder, with which LIBRARY_PATH begins.
static int report_conflicts(char **words)
{
    return each_conflict(words[4], words[0], words[1], words[2], words[3], print_conflict, NULL);
}

int main(int argc, char **argv)
{
    if (argc == 2 && argv[1][0] != '-')
        return report_file(argv[1], (struct question){ .symbols = false });
    if (argc == 5 && strcmp(argv[1], "--closure") == 0)
        return report_closure(argv[4], argv[2], argv[3]);
    if (argc == 5 && strcmp(argv[1], "--unmet") == 0)
        return report_unmet(argv[4], argv[2], argv[3]);
    if (argc == 6 && strcmp(argv[1], "--unbound") == 0)
        return report_unbound(argv + 2);
    if (argc == 4 && strcmp(argv[1], "--text") == 0)
        return report_symbol_text(argv[3], argv[2]);
    if (argc == 7 && strcmp(argv[1], "--conflicts") == 0)
        return report_conflicts(argv + 2);
    if (argc == 3 && strcmp(argv[1], "--versions") == 0)
        return report_versions(argv[2]);
    if (argc == 4 && strcmp(argv[1], "--contains") == 0)
        return report_text(argv[3], argv[2]);
    if (argc == 4 && strcmp(argv[1], "--release") == 0)
        return report_release(argv[3], argv[2]);
    bool defines = argc > 2 && strcmp(argv[1], "--defines") == 0;
    bool imports = argc > 2 && strcmp(argv[1], "--imports") == 0;
    if ((defines || imports) && argc == 4)
        return report_file(argv[3], (struct question){ true, defines, argv[2], false });
    if ((defines || imports) && argc == 3)
        return report_file(argv[2], (struct question){ true, defines, NULL, false });
    fputs("usage: elf-facts FILE | elf-facts --defines|--imports [SYMBOL] FILE | "
          "elf-facts --closure|--unmet LIBRARY_PATH PRELOAD FILE | elf-facts --versions FILE | elf-facts --contains TEXT FILE | "
          "elf-facts --release START FILE | "
          "elf-facts --text SYMBOL FILE | elf-facts --unbound LIBRARY_PATH PRELOAD \"START...\" FILE | "
          "elf-facts --conflicts LIBRARY_PATH PRELOAD PAIR HOST FILE\n", stderr);
    return EXIT_USAGE;
}
