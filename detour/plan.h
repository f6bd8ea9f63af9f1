/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which functions of the program get which code. */
#ifndef PLAN_H
#define PLAN_H

#include "pair.h"
#include "patch.h"

/* A function of the MPI inside. */
struct entry {
    const char *text;        /* its name */
    struct name *name;       /* the pair's, or null */
    uintptr_t address;
    uint64_t size;
    size_t kept;             /* bytes at its beginning */
    uintptr_t target;        /* null: nobody may call it */
};

struct plan {
    struct program *program;
    struct pair *pair;
    const struct inside *inside;
    struct entry *entries;
    size_t count, room;
    struct patch *patches;
    size_t patch_count;
};

/* Finds the functions of the MPI inside, and tells the pair's names what the program has of them. Refuses the program if one of the functions
 * cannot be replaced. */
void plan_read(struct plan *);

/* Makes the code that leads each function to the pair's libraries: to the address that `address_of` returns for a name. Refuses the program if
 * it does not fit. */
void plan_make(struct plan *, uintptr_t address_of(const struct pair *, const struct name *));

/* Frees the plan, but not what it refers to. */
void plan_free(struct plan *);

#endif
