// SPDX-License-Identifier: BSD-3-Clause
// Searches for texts in a file.
#ifndef ELF_CONTAINS_H
#define ELF_CONTAINS_H

#include "elf/file.h"

// The exit status for a question that is none.
enum { EXIT_USAGE = 2 };

// Looks for a text of at most 200 characters anywhere in the first 4 GiB of an open file. Returns a result, or EXIT_USAGE.
int elf_contains(struct elf_file *, const char *text);

// Looks in those that are loaded alone, without symbols, and what debuggers read.
int elf_contains_loaded(struct elf_file *, const char *text);

enum { RELEASE_ROOM = 16 };

// Looks in the same bytes for a string of digits and dots that begins so, and has a dot. Sets the release to it if there is no
// other one. Returns a result.
int elf_only_release(struct elf_file *, const char *start, char release[RELEASE_ROOM]);

#endif
