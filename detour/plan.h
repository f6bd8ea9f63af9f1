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
    const struct program *program;
    struct pair *pair;
    const struct inside *inside;
    struct entry *entries;
    size_t count, room;
    struct patch *patches;
    size_t patch_count;
};

/* Finds the functions of the MPI inside, and tells the pair's names what the program has of them. Gives up if one of the functions
 * cannot be replaced. */
void plan_read(struct plan *);

/* Makes the code that leads each function to the pair's libraries, which are loaded. Gives up if it does not fit. */
void plan_make(struct plan *);

/* Frees the plan, but not what it refers to. */
void plan_free(struct plan *);

#endif
