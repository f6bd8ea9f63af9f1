/* SPDX-License-Identifier: BSD-3-Clause */
/* Natives: parts of the program that were compiled for the host's MPI, beside others that were compiled for the application's. They
 * ARRIVED (isolate/owner.h) and are no tools. They call the host through the adapter's layers, which know who begins and ends MPI and what
 * becomes of objects; and procedures of the adapter's that make integers of handles, by which natives and the application's parts tell each
 * other of an object. A process without natives takes none of this into account. */
#ifndef NATIVES_H
#define NATIVES_H

#include "isolate/plan.h"

/* Whether there are natives that call MPI, and whether libraries of the host's MPI for other languages are among them. */
extern int natives_exist, natives_have_bindings;

/* Whether the host is the adapter of another pair that has natives, or whose host has; and whether this is so, or there are natives. */
extern int natives_are_below, natives_anywhere;

/* Sets the function that returns the adapter's procedure, in the host's types, that natives call in the place of the host's; null for
 * other symbols. `is_binding` is true for a library of the host's MPI, such as the one for Fortran. Calls `met` when there are natives. To
 * be called once, before the host is loaded. */
void natives_serve(void *(*procedure)(const char *symbol, int is_binding), void (*met)(void));

/* Notes the natives among the plan's objects. To be called when it is known which are tools. */
void natives_note(const struct plan *plan);

/* Returns whether the object with this path, which ARRIVED, is a native rather than a tool. */
int natives_include(const char *path);

/* Returns the procedure for a slot of this symbol in the native at `path`; null if the slot leads to the host. */
void *natives_procedure(const char *symbol, const char *path);

/* Returns whether the address is one of those procedures under this name. */
int natives_call(const char *symbol, const void *address);

/* Notes that the object with these addresses was linked against the host's library. Data of the host's may lie in it: an executable has
 * copies, and every object compiled from Fortran has the common blocks. The dynamic linker lets all slots of them lead to the first. */
void natives_note_object(const void *begin, const void *end);

/* Returns whether the address is that of data in such an object, so that slots that lead there stay. Not to be called under the lock of
 * linked_look(). */
int natives_keep(const void *address);

/* Returns whether the address is in such an object. */
int natives_have(const void *address);

#endif
