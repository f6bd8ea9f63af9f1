/* SPDX-License-Identifier: BSD-3-Clause */
/* The pair that is to run the program: the first in a list of folders for programs of its MPI. */
#ifndef PAIR_H
#define PAIR_H

#include "inside.h"

/* A name that a library of the pair exports. */
struct name {
    struct name *next; /* of the same hash */
    const char *text;
    int library;       /* 0 is the one for C */
    bool is_data;
    bool is_provided;  /* the pair's libraries have to use what the program has, since its address is compared */
    uint64_t place;    /* in the library */
    uintptr_t address; /* of what the program has by this name, or 0 */
    uint64_t size;
};

enum { PAIR_LIBRARIES = 8 };

struct pair {
    char *paths[PAIR_LIBRARIES]; /* of the libraries: for C, and for Fortran if the program has that */
    struct elf_file files[PAIR_LIBRARIES];
    void *handles[PAIR_LIBRARIES];
    int libraries;
    struct name *names;
    size_t count, room;
    struct name **buckets;
};

/* Finds the pair's libraries, in a list of folders such as LD_LIBRARY_PATH, and reads the names that they export. Refuses the program if there
 * is none. */
void pair_find(struct pair *, const char *folders, const struct program *, const struct inside *);

/* Returns the name, or null if the pair's libraries lack it. */
struct name *pair_name(const struct pair *, const char *text);

/* Refuses the program if the pair's libraries are loaded, and do not use the program's variables for constants. */
void pair_check_order(const struct pair *, const struct program *);

/* Loads the libraries. Refuses the program if they cannot be loaded. */
void pair_load(struct pair *, const struct program *);

/* Returns the address that the pair's library, which is loaded, has for a name. */
uintptr_t pair_address(const struct pair *, const struct name *);

/* Frees the names. The libraries stay loaded. */
void pair_free(struct pair *);

#endif
