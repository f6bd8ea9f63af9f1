/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiling tools made for the host: libraries that define MPI_ procedures in the host's types and call PMPI_ ones. They
 * lie between the adapter and the host. Tools made for the application's ABI are preloaded in front of the adapter, which
 * knows nothing of them. */
#ifndef HOST_TOOLS_H
#define HOST_TOOLS_H

/* Loads the tools that MPI_ADAPTER_HOST_TOOLS names. Ends the process if one cannot be loaded or is made for the
 * application's ABI. `handle` is the host's library. If that is an adapter, it has loaded the tools for its own host, and
 * this loads none. */
void tools_load(void *handle, int host_is_adapter);

/* Adds an object that ARRIVED (isolate/owner.h) to the tools if it defines MPI's procedures for C. */
void tools_adopt(const char *path);

/* Ends the process if the program's calls would reach a tool, or the host, past the adapter. Returns the procedure that the dynamic linker
 * finds ahead of the adapter's, as it does beside natives and another pair; null if there is none. */
const void *tools_check(void);

/* Returns whether the object with this path is a tool. May be called under the lock of linked_look(). */
int tools_have(const char *path);

/* Returns the first tool's procedure of this name, or null. */
void *tools_find(const char *symbol);

/* Installs the tools' procedures, LAYER_HOST_TOOL. */
void tools_apply(void);

/* Calls `visit` for each tool; `handle` is from dlopen() and stays the tool's. */
void tools_each(void (*visit)(const char *path, void *handle, const void *context), const void *context);

#endif
