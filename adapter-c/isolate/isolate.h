/* SPDX-License-Identifier: BSD-3-Clause */
/* Isolation of the host's objects: their calls to MPI_ and PMPI_ procedures must reach the host, not the adapter. isolate/owner.h
 * says which objects are the host's. Each function here looks for objects that nobody has dealt with, decides whose they are, and
 * binds them. It ends the process, naming the slot, if one could still reach the adapter. */
#ifndef ISOLATE_H
#define ISOLATE_H

#include "isolate/load_span.h"

/* How the host's library was loaded. */
struct host_loading {
    const struct load_span *span; /* in which it was */
    int is_adapter; /* it is an adapter itself and binds what it loads: only what was linked against the library that the adapter
                     * stands for is bound here, too */
    int namesakes;  /* how many libraries it needs that have names of the application's: slots_namesake() was told */
};

/* Isolates the host's library and all that it needs. `handle` is from dlopen(). Objects that the host loads later follow when its
 * hooks meet them. */
void isolate_host(void *handle, const struct host_loading *loading);

/* Isolates a tool that was loaded within the span; its calls may lead to tools. */
void isolate_tool(void *handle, const struct load_span *span);

/* Isolates the objects that the host loaded within the span, by a call that returned the handle or null. */
void isolate_opened(void *handle, const struct load_span *span);

/* Isolates all objects that the host loaded within the span, in whatever way. */
void isolate_within(const struct load_span *span);

/* Isolates an object in which the host looks for symbols, because the host has loaded it in some way. */
void isolate_used(void *handle);

/* Isolates objects that arrived otherwise and were linked against the host's libraries, and puts hooks into the program's.
 * Objects that the program loads from now on are looked at when it next asks for a symbol. */
void isolate_arrivals(void);

/* Calls that function of another adapter, too, from now on, when something has arrived: of the one whose host this one is, or of its host. */
void isolate_with(void (*isolate)(void));

/* Does the same for the adapter's constructor, when these objects may be tools: first calls `meet` with the path of each. */
void isolate_first_arrivals(void (*meet)(const char *path));

/* Calls `visit` with the path of each object that ARRIVED. */
void isolate_each_arrival(void (*visit)(const char *path));

#endif
