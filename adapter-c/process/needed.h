/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts about a library, read from its file: nothing of it is loaded. */
#ifndef NEEDED_H
#define NEEDED_H

#include <stddef.h>

/* Calls `visit` with the name of each DT_NEEDED entry. Returns the sum of its results; 0 for a file that is damaged, or is no
 * library for this machine. */
int needed_each(const char *path, int (*visit)(const char *name, const void *context), const void *context);

/* Copies the text that the library exports as an object of this name. Returns its length; 0 if there is none, it does not fit in
 * `room` bytes with its end, or the file is as above. */
size_t needed_text(const char *path, const char *symbol, char *text, size_t room);

/* Calls `visit` with the name of each symbol that the library exports; of a file as above, with none. */
void exported_each(const char *path, void (*visit)(const char *name, void *context), void *context);

enum library_fact {
    FACT_NEEDED,         /* DT_NEEDED */
    FACT_RPATH,          /* DT_RPATH */
    FACT_RUNPATH,        /* DT_RUNPATH */
    FACT_NO_DEFAULT,     /* DF_1_NODEFLIB */
    FACT_VERSION_NEEDED, /* a version of symbols that the library `of` must define; weak ones are left out */
    FACT_VERSION_DEFINED /* a version of symbols that the file defines, but for the one that names the file itself */
};

/* Calls `visit` with each fact, in this order of kinds but for the first four. Returns 0 for a file that is damaged, or is no
 * library for this machine; what was visited before the damage was met stands. The texts last until `visit` returns. */
int library_facts(const char *path, void (*visit)(enum library_fact fact, const char *text, const char *of, void *context),
                  void *context);

#endif
