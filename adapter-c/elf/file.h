/* SPDX-License-Identifier: BSD-3-Clause */
/* The reader of ELF files of the command and of the adapter: files of either class and byte order, damaged or made to do harm. Nothing of
 * a file is loaded or run. Each read is checked against the file's bounds, and all that is read of one file has limits. */
#ifndef ELF_FILE_H
#define ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Results of the functions below, which are elf-facts' exit statuses, too. */
enum elf_result {
    ELF_YES = 0,
    ELF_NO = 1,         /* the file has no such table */
    ELF_UNREADABLE = 3, /* no such file, no permission, not a regular file */
    ELF_FOREIGN = 4,    /* no ELF file */
    ELF_DAMAGED = 5     /* an ELF file that contradicts itself, ends early, or exceeds a limit */
};

/* A file claims what it likes, and a sparse one holds it. A library's tables of symbols and their names take a hundredth of these. */
enum {
    ELF_MOST_BYTES = 256 << 20,      /* that are read; as many characters of names are looked at, and segments to find an address */
    ELF_LONGEST_NAME = 1 << 16,      /* a longer one is none */
    ELF_MOST_ENTRIES = 1 << 14,      /* of the dynamic section */
    ELF_MOST_ENTRY_TEXT = 1 << 20,   /* characters of their names in all */
    ELF_MOST_VERSION_BYTES = 1 << 20 /* of a table of versions */
};

/* Part of a file that holds C strings. */
struct elf_strings {
    const char *at;
    size_t size;
};

/* The dynamic section. */
struct elf_dynamic {
    bool present;
    Elf64_Phdr segment;
    const unsigned char *entries;
    uint64_t strtab, strsz, symtab, verneed, verdef, flags_1;
};

struct elf_piece;

struct elf_file {
    const char *path;
    const char *problem;         /* what is wrong with it, if a result says so; a text that lasts */
    const char *limit;           /* which limit it exceeds, or null */
    int fd;                      /* -1: it is mapped */
    const unsigned char *mapped; /* or null */
    uint64_t size;
    struct elf_piece *pieces;    /* copies of all that was read */
    uint64_t bytes_read, names_length, entry_text, segments_tried;
    bool is_64, is_big_endian;
    Elf64_Ehdr header;
    const unsigned char *segments; /* e_phnum of these */
    bool cut_short;                /* a segment reaches past the end */
    bool has_interpreter;
    Elf64_Phdr interpreter;
    struct elf_dynamic dynamic;
    struct elf_strings strings; /* of the dynamic section */
};

/* Open a regular file and read its headers and its dynamic section. The caller closes it in any case. The first copies what is needed,
 * so that a file that shrinks meanwhile does no harm; the second maps the file, which allocates nothing. */
enum elf_result elf_open(struct elf_file *, const char *path);
enum elf_result elf_open_mapped(struct elf_file *, const char *path);

/* Closes the file and frees all that was read. */
void elf_close(struct elf_file *);

/* Notes what is wrong with a file, unless a limit is, and returns the result. */
enum elf_result elf_fail(struct elf_file *, enum elf_result, const char *what);

/* Returns whether the file has the class and the byte order of this machine. */
bool elf_is_own(const struct elf_file *);

/* Returns the name of EM_..., or NULL. */
const char *elf_machine_name(unsigned machine);

/* Returns the program header of this number, below header.e_phnum. */
Elf64_Phdr elf_segment(const struct elf_file *, size_t number);

/* Sets *name to the program's dynamic loader; NULL if the file names none. Returns false if the name is cut short. */
bool elf_interpreter(struct elf_file *, const char **name);

/* Calls `visit` for each entry of the dynamic section up to DT_NULL. Returns false if a limit was exceeded. */
bool elf_each_entry(struct elf_file *, void visit(struct elf_file *, const Elf64_Dyn *, void *), void *context);

/* Returns the name in a dynamic entry; empty if it lies outside the file. */
const char *elf_entry_text(struct elf_file *, const Elf64_Dyn *);

/* Calls `visit` for each dynamic symbol but the first, which is none, until it returns false. Returns ELF_NO if the file has none.
 * Without headers of sections, the symbols end where the strings of the dynamic section begin, as linkers put them. */
enum elf_result elf_each_symbol(struct elf_file *, bool visit(void *context, const Elf64_Sym *, const char *name), void *context);

/* The same for all symbols that the linker knew, which `strip` removes: ELF_NO. Local ones come first. */
enum elf_result elf_each_linked_symbol(struct elf_file *, bool visit(void *context, const Elf64_Sym *, const char *name), void *context);

/* Calls `visit` for each dynamic symbol whose data the program has a copy of, which a library has to define, until it returns false.
 * Finds none without headers of sections. */
enum elf_result elf_each_copied(struct elf_file *, bool visit(void *context, const Elf64_Sym *, const char *name), void *context);

/* Returns the mark that tells builds of a file apart, which the file with its symbols has, too; sets *size, to 0 if it has none. */
const unsigned char *elf_build_id(struct elf_file *, size_t *size);

/* Returns whether two files have the same sections in memory, by addresses and sizes, as a file and the one with its symbols have. */
bool elf_has_sections_of(struct elf_file *, struct elf_file *other);

/* Returns the bytes that will be loaded at an address, or NULL if the file does not hold them all. */
const unsigned char *elf_loaded(struct elf_file *, uint64_t address, uint64_t size);

/* Returns the C string that a symbol of data is, or NULL if it is none, or empty, or the file does not hold it. */
const char *elf_symbol_text(struct elf_file *, const Elf64_Sym *);

/* Call `visit` for each version of symbols that the file needs of another library, but for weak ones, of which the dynamic loader only
 * warns; and for each that it defines, with no library, but for the one that names the file itself. */
void elf_each_needed_version(struct elf_file *, void visit(void *context, const char *library, const char *name), void *context);
void elf_each_defined_version(struct elf_file *, void visit(void *context, const char *library, const char *name), void *context);

#endif
