// SPDX-License-Identifier: BSD-3-Clause
// An ELF file, read and never run: its segments and its dynamic section.
#ifndef ELF_FILE_H
#define ELF_FILE_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    EXIT_YES = 0,        // facts printed, or the symbol is there
    EXIT_NO = 1,         // the symbol is not there
    EXIT_USAGE = 2,
    EXIT_UNREADABLE = 3, // no such file, no permission, not a regular file
    EXIT_NOT_ELF = 4,
    EXIT_DAMAGED = 5,    // an ELF file that contradicts itself or ends early
};

// The dynamic section, as offsets into its string table.
struct dynamic {
    bool present;
    GElf_Phdr segment;
    uint64_t strtab;
    uint64_t strsz;
    uint64_t flags_1;
};

struct file {
    const char *path;
    const char *problem;    // what is wrong with it, if a code says so
    int fd;
    Elf *elf;
    GElf_Ehdr header;
    size_t segments;
    bool cut_short;         // a segment reaches past the end
    bool has_interpreter;
    GElf_Phdr interpreter;
    struct dynamic dynamic;
    const char *strings;
    size_t strings_size;
};

// Notes what is wrong with a file, and returns the code.
int fail(struct file *f, int code, const char *what);

// The name of EM_..., or NULL.
const char *machine_name(unsigned machine);

// Opens and reads what struct file has; returns a code.  Close it in any case.
int elf_file_open(struct file *f, const char *path);
void elf_file_close(struct file *f);

// The bytes of a file range, or NULL when the file does not hold them all.
Elf_Data *chunk(struct file *f, uint64_t offset, uint64_t size, Elf_Type type);

// A C string inside a chunk, or NULL when it has no end there.
const char *string_at(const char *strings, size_t size, uint64_t offset);

// Whether the file has this text, of at most 200 characters, anywhere; a code.
int contains(struct file *f, const char *text);

// Calls visit for each entry up to DT_NULL; false when the section is cut short.
bool each_entry(struct file *f, void visit(struct file *, const GElf_Dyn *, void *), void *context);

// Calls visit for each dynamic symbol, until it returns false; returns a code, of which EXIT_NO
// says that there are none.
int each_symbol(struct file *f, bool visit(void *context, const GElf_Sym *, const char *name), void *context);

// Returns the name in a dynamic entry, or NULL if it lies outside the file.
const char *entry_text(const struct file *f, const GElf_Dyn *entry);

// The program's dynamic loader: NULL if the file names none; false if its name is cut short.
bool interpreter_of(struct file *f, const char **name);

#endif
