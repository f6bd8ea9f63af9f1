/* SPDX-License-Identifier: BSD-3-Clause */
/* One pass over the loaded objects: which of them are the host's, which are the program's, and what is done
 * with their slots. */
#ifndef PASS_H
#define PASS_H

#include "isolate/window.h"

/* An object that something is to be done with when the dynamic linker's list is no longer locked. */
struct task {
    char *path;
    const void *base, *end;
    const ElfW(Dyn) *dynamic;
    unsigned long long seen;
    enum { BIND, WATCH } action;
    int is_arrival, is_tool;
    int is_apart; /* its Fortran constants are its own (sentinels_are_apart()) */
    int is_held; /* the caller keeps it loaded */
};

struct pass {
    const ElfW(Dyn) *root;       /* an object that is the host's with all that it needs, or null */
    const struct window *window; /* in which objects arrived that are the host's, or null */
    int is_tool;                 /* these are a tool's */
    int only_these;              /* objects that arrived otherwise are left to the next pass */
    int is_lasting;              /* the root is never unloaded */
    unsigned long long loaded;   /* how many objects had been loaded when the list was read */
    struct task *tasks;
    size_t count, room;
};

/* Finds out what is to be done. */
void pass_plan(struct pass *pass);

/* Finds out which of all loaded objects have slots of Fortran's sentinels (isolate/sentinels.h). To be called by a constructor:
 * nothing is unloaded meanwhile. */
void pass_plan_sentinels(struct pass *pass);

/* Adds an object that is to be dealt with once more; for a user of linked_look(). */
void pass_add(struct pass *pass, struct task task, const char *path);

/* Does it: binds the host's objects and proves that they are bound, and watches the program's. */
void pass_carry_out(struct pass *pass);

/* True if something was loaded that no pass has looked at. */
int pass_is_due(void);

/* The host is an adapter: what it loads is its host's, unless it needs the library that is ours. */
extern int pass_host_isolates;

/* The host needs libraries that have names of the application's: what it loads may need those names, too. */
extern int pass_host_has_namesakes;

#endif
