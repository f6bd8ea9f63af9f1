/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about ELF files, each asked once: nothing of a file runs. What is returned is kept to the end of the program. */
#ifndef ELF_ASK_H
#define ELF_ASK_H

#include "list.h"

/* Holds what a file says of itself. */
struct elf_facts {
    int status;                 /* a result of elf/file.h: ELF_YES, if the rest is known */
    const char *class;          /* 64 or 32 */
    const char *machine;        /* x86_64 */
    const char *linkage;        /* dynamic, static, library or none */
    const char *interpreter;    /* its dynamic linker, or "" */
    const char *soname;         /* or "" */
    struct list needed;
};

/* Returns the facts of a file. */
const struct elf_facts *facts_of(const char *file);

/* The libraries that the dynamic linker would load for a file, breadth first. */
struct closure_found {
    int status;
    struct list names;          /* by which they are asked for, without folders */
    struct list paths;          /* "" for one that is not found */
};

/* Returns these, in an environment with this LD_LIBRARY_PATH and LD_PRELOAD. */
const struct closure_found *trace(const char *file, const char *library_path, const char *preload);

/* Returns the file that the dynamic linker takes for a library of that name, or null; and the first name that it finds no file for. */
const char *traced_file(const struct closure_found *found, const char *name);
const char *traced_missing(const struct closure_found *found);

/* The symbols of a file. */
struct symbols {
    int status;
    struct list defined, imported;
};

/* Returns the symbols that a file defines, and those that it imports. */
const struct symbols *symbols_of(const char *file);

/* Return whether a file defines, or imports, a symbol. */
int defines(const char *file, const char *symbol);
int imports(const char *file, const char *symbol);

/* Returns whether a file refers to a symbol that begins with one of these: it imports it, or, as of a copy of data, defines it. */
int refers_by(const char *file, const struct list *starts);

/* Returns whether a text stands anywhere in a file. */
int file_contains(const char *file, const char *text);

/* Returns whether it stands in what is loaded of a library. */
int library_contains(const char *file, const char *text);

/* Returns whether a library lies where distributions put theirs, into which they link no MPI. */
int is_in_system_folder(const char *file);

/* The MPI that is linked into a program. */
struct linked_mpi {
    int is_replaceable;         /* it is one that detour.so knows */
    const char *release;        /* "" if nothing tells */
    struct list interfaces;     /* parts of it that the program has, as people call them */
    const char *problem;        /* why detour.so refuses the program: "what; what to do"; or "" */
};

/* Returns it, with what comes of it on the pair of a folder; "" for none. */
const struct linked_mpi *linked_mpi_of(const char *file, const char *pair);

/* Returns the only release, of digits and dots, that is a string of the file and begins so; "" without one. */
const char *release_in(const char *file, const char *start);

/* Returns the text that is the file's data of that name, or "". */
const char *symbol_text(const char *file, const char *symbol);

/* Versions of symbols that files lack: for each, who needs it, the library that should have it, and the version. */
struct unmet {
    struct list by, libraries, versions;
};

/* Returns those that a file and what it loads lack, the newest first. */
struct unmet unmet_versions(const char *file, const char *library_path, const char *preload);

/* Returns the newest version that a file defines of the kind of this one: GLIBC_2.36 for GLIBC_2.38; "" without one. */
const char *newest_version(const char *file, const char *version);

/* Returns the symbols, of those that begin with one of the words in `starts`, that a file or what it loads needs and nothing defines. */
struct list unbound_symbols(const char *file, const char *library_path, const char *preload, const char *starts);

/* Libraries that a program and the host's MPI both bring: for each its kind (first, apart, preload, refused), the host's file and a text. */
struct conflicts_found {
    struct list kinds, files, texts;
};

/* Returns those of a program with the library of the host's MPI, on this pair. */
struct conflicts_found conflicts_of(const char *file, const char *library_path, const char *preload, const char *pair, const char *host);

#endif
