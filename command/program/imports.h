/* SPDX-License-Identifier: BSD-3-Clause */
/* The packages that a program's text imports, and the files that it names. */
#ifndef IMPORTS_H
#define IMPORTS_H

#include <regex.h>

#include "list.h"

/* How imports are written in a language. */
struct syntax {
    int is_python;
    regex_t pattern;        /* for others: of what stands around names of packages, within a line */
};

/* Returns how long the name is that begins here; 0 if none does. */
size_t name_length(const char *at);

/* Adds the names that a text imports, each once; and to `strings`, if that is not null, what stands in quotes and may name a file: it has
 * a slash, or .so. Strings and comments of Python import nothing. */
void add_imports(const struct syntax *syntax, const char *text, struct list *names, struct list *strings);

#endif
