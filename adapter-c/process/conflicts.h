/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that a program and the host's MPI both bring. The dynamic linker takes the first library of a name for all who
 * need that name, so that the host's MPI would get the program's. These rules say which library each side is to have:
 *
 *   A library whose symbols have versions is one for the whole process, because its versions tell whom it serves. The
 *   program's is taken if it defines every version that the host's libraries need of it. Else the host's has to be loaded
 *   first, which is too late if the process has loaded the program's. A program's library that nothing has loaded yet must
 *   also find the versions that it needs itself: else the host's is taken.
 *   If the program's is taken, nobody loads the host's, and what only that needs is not asked for.
 *   A library without versions does not tell whom it serves: structures may differ where names do not. So each side has its
 *   own. A process can have only one of some of these (conflicts.c lists them): the host's, if it can be loaded first.
 *
 * The host's library of a name is the one that the dynamic linker would find if the program said nothing. */
#ifndef CONFLICTS_H
#define CONFLICTS_H

#include <stddef.h>

/* A library of the program's that is loaded before the host's MPI. */
struct brought {
    const char *name; /* its soname */
    const char *path;
};

/* The process before the host's MPI is loaded. Lists of folders and names are separated by colons. */
struct both_sides {
    const char *program; /* its file */
    const struct brought *loaded;
    size_t loaded_count;
    const char *program_folders; /* those that the program has the dynamic linker search ahead: DT_RPATH, LD_LIBRARY_PATH */
    const char *host_folders;    /* those of LD_LIBRARY_PATH if the host's own library is in one of them */
    const char *system_folders;  /* those that the dynamic linker searches for everyone */
    const char *left_out;        /* names of libraries that are skipped, with those that they need */
    const char *root;            /* where etc/ld.so.cache is; "" for / */
};

enum conflict_kind {
    CONFLICT_FIRST,  /* nothing has loaded the program's yet: the host's is to be loaded ahead */
    CONFLICT_APART,  /* each side is to have its own */
    CONFLICT_ONE,    /* there can be one and it has no versions: the program's, which is loaded, serves both as well as it can */
    CONFLICT_REFUSED /* there can be one, and the program's, which is loaded, lacks a version that the host's MPI needs */
};

struct conflict {
    enum conflict_kind kind;
    const char *name, *program, *host; /* the soname, and both sides' files */
    const char *version, *needed_by;   /* of CONFLICT_REFUSED: the missing version, and the host's file that needs it; or the program's own
                                        * file, which needs a version of another library that is to be the host's */
    int host_serves_both;              /* of CONFLICT_REFUSED: the host's has each version of it that a loaded file of the program's needs */
};

/* Calls `visit` for each conflict about a library that the one at this path needs, directly or not. A library comes after
 * those that it needs. Reads files, and loads none. Returns 0 if memory runs out. */
int conflicts_find(const char *library, const struct both_sides *sides,
                   void (*visit)(const struct conflict *conflict, void *context), void *context);

/* Writes the path of the file that the host's libraries would get by this name, as if `library` needed it. Returns 0 if there is
 * none. `path` has room for PATH_MAX. */
int conflicts_host_file(const char *name, const char *library, const struct both_sides *sides, char *path);

/* Finds the host's library, given by its path or its name, as the dynamic linker will. Returns 0 if there is none. The
 * folders are those of conflicts_environment() and as in struct both_sides. Sets *is_in_environment if LD_LIBRARY_PATH
 * leads to it. Then libraries that it needs are meant to be found there, too, unless a launcher has merely put a folder
 * there that leads to the system's MPI. */
int conflicts_find_host(const char *library, const char *environment, const char *system_folders, const char *root, char *path,
                        int *is_in_environment);

/* Returns the folders of LD_LIBRARY_PATH that may change what is found. Leaves out the system's, the adapter's and those in
 * it, and those without libraries. The caller frees the list; null if memory runs out. */
char *conflicts_environment(const char *library_path, const char *adapter_folder);

/* Returns a DT_RPATH of the file `of` with $ORIGIN expanded, without folders that have other tokens. The caller frees the
 * list; null if memory runs out. */
char *conflicts_expanded(const char *folders, const char *of);

/* Returns whether glibc searches the folder, a path of this length, for everyone: /lib64, /usr/lib/x86_64-linux-gnu. */
int conflicts_of_system(const char *folder, size_t length);

#endif
