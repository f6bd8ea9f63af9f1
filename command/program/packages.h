/* SPDX-License-Identifier: BSD-3-Clause */
/* The compiled modules that a program of an interpreter may load, and which of them need an MPI: found in files, of which nothing runs. */
#ifndef PACKAGES_H
#define PACKAGES_H

#include "imports.h"
#include "list.h"

struct packages {
    struct list folders;        /* where packages are; the first that has one counts */
    struct list modules;        /* patterns of a package's compiled modules, with NAME for the package */
    struct list sources;        /* patterns of its files that import others */
    struct list usual;          /* packages that load MPI in most programs */
    struct list libraries;      /* patterns of names of MPI libraries */
    const char *library_path;   /* LD_LIBRARY_PATH of the program, or null */
    struct syntax syntax;
    struct list strings;        /* what the program's own text has in quotes and may name a file */
    struct list found;          /* modules and other files that need an MPI library */
    struct list named;          /* MPI libraries that the text names */
    int is_cut_short;           /* whether more files may be imported than are looked at */
    struct list seen;           /* packages that were looked at */
    struct list clean;          /* libraries that need no MPI */
    int modules_left, sources_left;
    long bytes_left;
};

/* Reads a file that imports packages, and adds their names, and what it has in quotes unless `strings` is null. */
void add_imports_of(struct packages *packages, const char *path, struct list *names, struct list *strings);

/* Looks at packages, then at those that they import, and so on, until some that are equally far from the program need an MPI. One of the
 * usual ones settles it. */
void look_at_packages(struct packages *packages, const struct list *names);

/* Looks at the files that the program's text names, as they are found from here or from the folder of its script, which may be null. */
void look_at_strings(struct packages *packages, const char *folder);

#endif
