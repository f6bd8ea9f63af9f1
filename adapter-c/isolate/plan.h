/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan says what is to be done with the slots of loaded objects that nobody has dealt with yet. It is made under the lock of
 * linked_look(), and carried out without it (isolate/carry_out.h). */
#ifndef PLAN_H
#define PLAN_H

#include "isolate/load_span.h"
#include "isolate/owner.h"

/* One object. Its owner decides what is done with it. */
struct task {
    char *path;
    const void *base, *end;
    const ElfW(Dyn) *dynamic;
    unsigned long long seen; /* as in a struct known_object */
    enum owner owner;
    int is_apart; /* its Fortran constants are its own (sentinels_are_apart()) */
    int is_held;  /* the caller keeps it loaded */
    int calls_mpi; /* it ARRIVED, and has slots of MPI's */
};

struct plan {
    const ElfW(Dyn) *root;        /* the host's or a tool's object, which owns with it all that it needs, or null */
    const struct load_span *span; /* objects that appeared in it belong to the root's owner, or null */
    int is_tool;                  /* the owner of these is TOOL, not HOST */
    int only_these;               /* objects that arrived otherwise are left to the next plan */
    int is_lasting;               /* the root is never unloaded */
    unsigned long long loaded;    /* how many objects had been loaded when the list was read */
    struct task *tasks;           /* until the plan is carried out */
    size_t count, room;
};

/* Decides whose each object is that is UNDECIDED or UNBOUND, and adds a task for each with slots of interest. The fields up to
 * `is_lasting` say which objects these are. Ends the process if memory runs out. */
void plan_make(struct plan *plan);

/* Adds a task for each object of the program's, and part of the adapter, that has slots of Fortran's sentinels. To be called by a
 * constructor: nothing is unloaded meanwhile. */
void plan_sentinels(struct plan *plan);

/* Adds a task for each part of the adapter, and each object that needs the application's MPI, whose slots of MPI's may lead to the
 * host (slots_host_is_first). */
void plan_led_astray(struct plan *plan);

/* Adds a task for an object, whose path and place the task need not have. May be called under the lock of linked_look(). */
void plan_add(struct plan *plan, struct task task, const gotswap_linked *object);

/* The host is an adapter: it binds what it loads, unless that needs the library that the adapter stands for. */
extern int plan_host_is_adapter;

/* The host needs libraries that have names of the application's, so that the objects it loads may need those names, too. */
extern int plan_host_has_namesakes;

#endif
