/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries of which the host's MPI has a copy of its own, because the program brings another one (process/conflicts.h).
 * Each is loaded by its path, beside the program's. Slots of the host's objects that lead to the program's library, or
 * would once bound, are led to the copy. */
#ifndef HOST_COPIES_H
#define HOST_COPIES_H

#include <dlfcn.h>

#include "isolate/load_span.h"

/* Loads what the host's library needs in copies of its own. `library` is the path or the name by which the host's library
 * is going to be loaded. Ends the process, with both files' paths, if one library would have to serve both sides and
 * cannot. Does nothing, and reads no file, for a program that brings no library. */
void host_copies_load(const char *library);

/* Does the same for a file that the host is about to open, and isolates the copies. Returns the path to open instead: that of the
 * host's copy if `file` is the name of a library that the program brings, else `file`. `path` has room for PATH_MAX. */
const char *host_copies_open(const char *file, char *path);

/* Calls `visit` with the handle of each copy that was loaded since the last call. */
void host_copies_each_new(void (*visit)(void *handle, const struct load_span *span), const struct load_span *span);

/* True if a copy exists: everything below is cheap if not. */
extern int host_copies_exist;

/* Returns whether a copy defines the symbol. May be called under the lock of linked_look(). */
int host_copies_define(const char *symbol);

/* Returns the copy's address of a symbol for a slot that holds `current`; null if the slot is to be left. `is_lazy`: the dynamic
 * linker has yet to fill it. Not to be called under the lock of linked_look(). */
void *host_copies_lead(const char *symbol, const void *current, int is_lazy);

/* Returns the copy's definition in the place of what dlsym() found, which may be the program's. */
void *host_copies_symbol(const char *symbol, void *found);

/* Returns the path of the program's library to which a word of the host's leads although the host has a copy; null if it leads to
 * no such library. `is_slot` is 0 for words that cannot be led elsewhere. */
const char *host_copies_missed(const char *symbol, const void *value, int is_slot);

/* Returns whether the object is a library of the program's that has a copy. */
int host_copies_replace(const gotswap_linked *object);

#endif
