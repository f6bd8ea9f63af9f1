// SPDX-License-Identifier: BSD-3-Clause
// An ELF file, read and never run: its segments and its dynamic section.
#ifndef ELF_FILE_H
#define ELF_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "elf-bytes.h"

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
    Elf64_Phdr segment;
    uint64_t strtab;
    uint64_t strsz;
    uint64_t flags_1;
};

// Part of a file that holds C strings.
struct strings {
    const char *at;
    size_t size;
};

struct file {
    const char *path;
    const char *problem;    // what is wrong with it, if a code says so
    struct elf_bytes bytes;
    Elf64_Ehdr header;
    const unsigned char *segments;  // e_phnum of these
    bool cut_short;         // a segment reaches past the end
    bool has_interpreter;
    Elf64_Phdr interpreter;
    struct dynamic dynamic;
    struct strings strings; // of the dynamic section
};

// Notes what is wrong with a file, a text that lasts, and returns the code.
int fail(struct file *f, int code, const char *what);

// Returns the name of EM_..., or NULL.
const char *machine_name(unsigned machine);

// Opens a file and reads the members of struct file.  Returns a code.  The caller closes the file in any case.
int elf_file_open(struct file *f, const char *path);

// Closes the file and frees its members.
void elf_file_close(struct file *f);

// Returns the C string at the offset, or NULL if it has no end among the strings.
const char *string_at(const struct strings *strings, uint64_t offset);

// Returns the headers of all sections, e_shnum of them, or NULL if the file does not hold them.
const unsigned char *section_headers(struct file *f);

// Return the section of this number, and its bytes; NULL for bytes that the file does not hold.
Elf64_Shdr section_at(struct file *f, const unsigned char *headers, size_t number);
const unsigned char *section_bytes(struct file *f, const Elf64_Shdr *section);

// Returns the strings of the section of this number; none if it has none.
struct strings section_strings(struct file *f, const unsigned char *headers, size_t number);

// Looks for a text of at most 200 characters anywhere in the file.  Returns EXIT_YES, EXIT_NO or a code of failure.
int contains(struct file *f, const char *text);

// Calls visit for each entry up to DT_NULL.  Returns false if the section is cut short.
bool each_entry(struct file *f, void visit(struct file *, const Elf64_Dyn *, void *), void *context);

// Calls visit for each dynamic symbol, until it returns false.  Returns a code: EXIT_NO if the file has none.
int each_symbol(struct file *f, bool visit(void *context, const Elf64_Sym *, const char *name), void *context);

// Returns the C string that a symbol of data is, or NULL if it is none, or empty, or the file does not hold it.
const char *symbol_text(struct file *f, const Elf64_Sym *);

// Returns the name in a dynamic entry, or NULL if it lies outside the file.
const char *entry_text(const struct file *f, const Elf64_Dyn *entry);

// Sets *name to the program's dynamic loader; NULL if the file names none.  Returns false if the name is cut short.
bool interpreter_of(struct file *f, const char **name);

#endif
