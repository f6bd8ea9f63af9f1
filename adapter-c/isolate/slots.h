/* SPDX-License-Identifier: BSD-3-Clause */
/* The slots of one object: which of them lead where. */
#ifndef SLOTS_H
#define SLOTS_H

#include "process/linked.h"

/* What slots of the dynamic linker's functions are filled with, in the host's objects and the program's. */
extern const struct hooks {
    void *dlopen, *dlmopen, *dlsym;
} host_hooks, program_hooks;

/* What further slots of the host's objects are filled with: those of symbols that `wants` is true of, with what `choose`
 * returns, or not if that is null. The proof leaves them be. */
struct further_hooks {
    int (*wants)(const char *symbol);
    void *(*choose)(const char *symbol, void *current, int is_bound, const char *path);
    const struct further_hooks *next; /* slots_want() sets it */
};

/* For objects that are bound from now on. */
void slots_want(struct further_hooks *hooks);

/* The same, and for the object with this address, which was bound before. 0 if that cannot be: gotswap_message() says why. */
int slots_hook(struct further_hooks *hooks, const void *inside);

/* `handle` is the host's library. */
void slots_start(void *handle);

/* The handle of a library of the host's that has a name of the application's (start/namesake.h). From then on,
 * names that are no MPI's may be of both. */
void slots_namesake(void *handle);

/* True of MPI's names for C, and as compilers for Fortran spell them. */
int is_mpi(const char *symbol);

/* The host's own procedure of this name, or null. */
void *slots_host_procedure(const char *symbol);

/* What the dynamic linker fills an object's slot of this name with, or null: plugins see more than everybody does. `path` is
 * the object's name as the dynamic linker has it. */
void *slots_find(const char *path, const char *symbol);

/* True if an object of the host's has slots that must lead to the host, or to hooks. */
int slots_are_host(const gotswap_linked *object);

/* True if an object of the program's has slots for hooks. */
int slots_are_program(const gotswap_linked *object);

/* An object that the caller keeps loaded. */
struct held {
    const char *path;
    const void *base, *end;
    void *scope; /* where a tool's symbols are; null for other objects */
};

/* Makes an object's slots lead to the host and to hooks; returns how many. Ends the process if it cannot. */
int slots_bind(const struct held *object);

/* Puts hooks into an object of the program's, and leads its slots of Fortran's sentinels, or those of a part of the adapter, to the
 * process's one address. Returns 0 if slots of sentinels could not be written. Without hooks the program still runs, only without
 * the host's bindings and tools that it may load. */
int slots_watch(const struct held *object);

/* What was seen of the slots of objects that were bound. */
struct leak {
    char *symbol, *path; /* of the first slot that leads to the adapter, and of its object; or null */
    char *lazy;          /* the same, in turns, of slots of MPI's that the dynamic linker has yet to fill */
    size_t lazy_size;
    int slots;           /* that were looked at */
    int is_taken;        /* a slot of dlopen's holds another function than the hook */
    const gotswap_linked *program; /* the executable, which may hold copies of the adapter's objects */
};

/* Looks at an object's slots; for a user of linked_look(). */
void slots_look(const gotswap_linked *object, struct leak *leak);

/* Ends the process if a slot leads to the adapter, or once bound would. To be called later, without the
 * lock of linked_look(). */
void slots_judge(struct leak *leak);

#endif
