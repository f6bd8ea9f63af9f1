/* SPDX-License-Identifier: BSD-3-Clause */
/* The slots of one object: functions that lead them to the host and to hooks, and check where they lead. */
#ifndef SLOTS_H
#define SLOTS_H

#include "process/linked.h"

/* The functions that stand in for the dynamic linker's: in slots of the host's objects, of the program's, and of natives
 * (isolate/natives.h). */
extern const struct hooks {
    void *dlopen, *dlmopen, *dlsym;
} host_hooks, program_hooks, native_hooks;

/* Hooks for further slots of the host's objects. The proof ignores these slots. */
struct further_hooks {
    /* Returns whether the symbol's slots are hooked. */
    int (*wants)(const char *symbol);
    /* Returns the address for a slot, or null to leave the slot. `current` is the symbol's address if `is_bound`; else the
     * dynamic linker has yet to find it. `path` is the object's. */
    void *(*choose)(const char *symbol, void *current, int is_bound, const char *path);
    const struct further_hooks *next; /* slots_want() sets it */
};

/* Hooks the slots of objects that are bound from now on. The structure must last. */
void slots_want(struct further_hooks *hooks);

/* Does the same, and hooks the slots of the object that has the address `inside`, which was bound before. Returns 0 if
 * those cannot be written; gotswap_message() says why. */
int slots_hook(struct further_hooks *hooks, const void *inside);

/* Sets the host's library, by its handle. To be called before any object is bound. */
void slots_start(void *handle);

/* Adds a library of the host's that has a name of the application's (start/namesake.h), by its handle. From then on both sides
 * may define names that are not MPI's. */
void slots_namesake(void *handle);

/* Returns whether this is the name of a procedure or of data of MPI's, in C or as a compiler for Fortran spells it. */
int is_mpi(const char *symbol);

/* Returns the host's own procedure of this name, or null. */
void *slots_host_procedure(const char *symbol);

/* Returns the address with which the dynamic linker would fill a slot of this name in the object at `path`, or null. A plugin's
 * scope is larger than that of all objects. */
void *slots_find(const char *path, const char *symbol);

/* Returns whether an object of the host's has slots that must lead to the host or to hooks. */
int slots_are_host(const gotswap_linked *object);

/* Returns whether an object has slots of MPI's. */
int slots_are_mpi(const gotswap_linked *object);

/* True if the dynamic linker finds the host's procedures ahead of the adapter's. Slots of the program's objects that need the
 * application's MPI, and of the adapter's, then have to be led to the adapter. */
extern int slots_host_is_first;

/* Finds out whether the host comes first. Not to be called under the lock of linked_look(). */
void slots_look_first(void);

/* Returns whether an object of the program's has slots for hooks. */
int slots_are_program(const gotswap_linked *object);

/* An object that the caller keeps loaded while its slots are read and written. */
struct held {
    const char *path;
    const void *base, *end;
    void *scope; /* where a tool's symbols are; null for other objects */
    int is_native; /* isolate/natives.h */
};

/* Leads the slots of an object of the host's to the host and to hooks. Returns how many. Ends the process if it cannot. */
int slots_bind(const struct held *object);

/* Leads the slots of Fortran's sentinels, in an object of the program's or a part of the adapter, to the process's one address.
 * Puts hooks into an object of the program's, and leads its slots of MPI's to the adapter if the host comes first. Returns 0 if
 * slots of sentinels or of MPI's could not be written. Slots of hooks are best effort: without them the program runs, but may not
 * load tools or bindings of the host's. */
int slots_watch(const struct held *object);

/* The result of looking at slots of bound objects. */
struct leak {
    char *symbol, *path; /* the first slot that leads to the adapter, and its object; or null */
    const char *leads_to; /* null, or the path of the program's library to which it leads instead */
    char *lazy;          /* symbol and path, one after the other, of each slot of MPI's that the dynamic linker has yet to fill */
    size_t lazy_size;
    int slots;           /* how many were looked at */
    int is_taken;        /* a slot of dlopen() holds another function than the hook */
    const gotswap_list *list;
    int is_of_host;      /* the owner of the object is HOST */
    struct kept_slots *kept; /* where MPI's slots are kept, or null; also looks whether each leads to the host */
    char *strays;        /* symbol, path and owner's path of each slot of MPI's in a HOST's object that leads to neither side */
    size_t strays_size;
    const void *host_begin, *host_end; /* the object of the host's to which the last slot led */
};

/* Looks at an object's slots, and adds what it sees. May be called under the lock of linked_look(). */
void slots_look(const gotswap_linked *object, struct leak *leak);

/* Ends the process if a slot leads to the adapter, or would lead there once bound. Frees what the look allocated. Not to be
 * called under the lock of linked_look(). */
void slots_judge(struct leak *leak);

#endif
