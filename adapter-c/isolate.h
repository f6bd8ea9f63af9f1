/* SPDX-License-Identifier: BSD-3-Clause */
/* Isolation of the host's objects by gotswap. An object is the host's if the host's library needs or
 * loads it, or if it was linked against a library of the host's family: its bindings for Fortran, or a
 * tool. Programs of the application's ABI never were. */
#ifndef ISOLATE_H
#define ISOLATE_H

/* Binds the calls of the host's library, and of everything it depends on, to itself; `handle` and
 * `path` are its dlopen() handle and file. Objects that the host loads later follow. Ends the
 * process, naming the slot, if one of these could still reach the adapter. */
void isolate_host(void *handle, const char *path);

/* The same for an object that was just loaded with what it depends on, whose calls may lead to tools. */
void isolate_tool(const char *path);

/* The same for the host's objects that the program loaded since the last time, after `meet`, unless it
 * is null, was called for each. Those that it loads from now on follow when it next asks for a symbol. */
void isolate_arrivals(void (*meet)(const char *path));

/* Calls `visit` for each object that isolate_arrivals() found to be the host's. */
void isolate_each_arrival(void (*visit)(const char *path));

/* Looks at all of the host's objects again, whatever happened to them since. */
void isolate_prove(void);

/* What has been done: how many slots of how many objects were looked at in all when they were proved to
 * lead to the host or to be none of MPI's; and, by `visit`, how many slots were replaced in each object
 * that had any, from the object numbered `first`. Returns the number of objects so far. */
int isolate_report(int first, void (*visit)(const char *path, int slots), int *slots, int *objects);

/* True if an address is the adapter's own. */
int is_adapter(const void *address);

#endif
