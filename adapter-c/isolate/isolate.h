/* SPDX-License-Identifier: BSD-3-Clause */
/* Isolation of the host's objects: their calls to MPI_ and PMPI_ procedures must reach the host. An object
 * is the host's if the host's library needs or loads it, or if it was linked against a library of the
 * host's family: its bindings for Fortran, or a tool. Programs of the application's ABI never were. */
#ifndef ISOLATE_H
#define ISOLATE_H

#include "isolate/window.h"

/* How the host's library was loaded. */
struct host_loading {
    const struct window *window; /* in which it was */
    int is_adapter; /* it is an adapter itself: what it loads it binds, and is only looked at here, unless it was linked
                     * against the library that the adapter stands for */
    int namesakes;  /* how many libraries it needs that have names of the application's: slots_namesake() was told */
};

/* Binds the host's library, and everything it depends on, to itself; `handle` is from dlopen(). What the
 * host loads later follows. Ends the process, naming the slot, if one could still reach the adapter. */
void isolate_host(void *handle, const struct host_loading *loading);

/* The same for a tool, loaded within the window; its calls may lead to tools. */
void isolate_tool(void *handle, const struct window *window);

/* The same for what the host loaded within the window, by a call that returned the handle or null. */
void isolate_opened(void *handle, const struct window *window);

/* The same for all that the host loaded within the window, in whatever way. */
void isolate_within(const struct window *window);

/* The same for an object in which the host looks for symbols: it has loaded it, by whatever means. */
void isolate_used(void *handle);

/* The same for objects that arrived otherwise and were linked against the host's libraries. What the
 * program loads from now on is looked at when it next asks for a symbol. */
void isolate_arrivals(void);

/* The same in the adapter's constructor, where these objects may be tools: first `meet` gets the path of each. */
void isolate_first_arrivals(void (*meet)(const char *path));

/* Calls `visit` with the path of each object that arrived otherwise and is the host's. */
void isolate_each_arrival(void (*visit)(const char *path));

#endif
