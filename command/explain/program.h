// SPDX-License-Identifier: BSD-3-Clause
// The program: what it and its libraries import of MPI, and where they are found.
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>

#include "../elf/elf-closure.h"
#include "interface.h"
#include "names.h"

// In the order in which they are shown.
enum language { LANGUAGE_C, LANGUAGE_CXX, LANGUAGE_FORTRAN, LANGUAGES };

extern const char *const language_names[LANGUAGES];

struct import {
    char *symbol;
    char *procedure;    // its name for C, but for the case of letters
    bool object;        // no function
    bool copied;        // an object that the program has a copy of, and that a library has to define
};

struct search_path {
    const char *file;
    bool beats;         // LD_LIBRARY_PATH, as a DT_RPATH does
    char *folders;
};

struct program {
    // As the user gave it; the ELF file that runs; the ABI that it was compiled against.
    const char *name, *file, *abi;
    struct names mpi_sonames;       // of every MPI that is known
    const char *left;               // LIBRARY=RELEASE...: what the ABI's releases had before that one; may be NULL
    struct names native;            // files that were compiled for the host's MPI, whose calls no pair leads
    struct closure libraries;
    struct import *imports;         // sorted
    size_t import_count;
    unsigned interfaces, languages; // sets, 1u << each
    struct names files;             // sorted: the program, and libraries that import what is MPI's
    struct search_path *search_paths;
    size_t search_path_count;
};

// Fills in the members behind native, in an environment with this LD_LIBRARY_PATH.
void program_read(struct program *program, const char *library_path);

// Frees the members that program_read() filled in.
void program_free(struct program *program);

// Returns the last part of a path.
const char *base_name(const char *path);

// Returns whether the library is an MPI's, by its name.
bool is_mpi_library(const struct program *program, const struct library *library);

// Returns the first release that no longer has a library which the program itself needs, or NULL.  The caller frees it.
char *release_that_left(const struct program *program);

// Returns the search path's folders that do not exist, each with a blank ahead.  The caller frees the text.
char *missing_folders(const struct search_path *path);

#endif
