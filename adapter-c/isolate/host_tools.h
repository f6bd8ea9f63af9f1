/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiling tools made for the host: libraries that define MPI_ procedures in the host's types and call
 * PMPI_ ones. They stand between the adapter and the host. Tools made for the application's ABI stand
 * in front of the adapter, by preloading, and are no business of it. */
#ifndef HOST_TOOLS_H
#define HOST_TOOLS_H

#include "host.h"

/* Loads the tools that MPI_ADAPTER_HOST_TOOLS names; ends the process if one cannot
 * be loaded or is made for the application's ABI. `handle` is the host's library: if that is an adapter, they
 * are tools of its host, and it has loaded them. */
void tools_load(void *handle, int host_is_adapter);

/* Takes an object of the host's that was preloaded for a tool, too, if it defines MPI's procedures for C. */
void tools_adopt(const char *path);

/* Ends the process if the program's calls would reach a tool, or the host, past the adapter. */
void tools_check(void);

/* The first tool's procedure of this name, or null. */
void *tools_find(const char *symbol);

/* Installs the tools' procedures, LAYER_HOST_TOOL. */
void tools_apply(void);

/* Calls `visit` for each tool; the handle is from dlopen(). */
void tools_each(void (*visit)(const char *path, void *handle, const void *context), const void *context);

#endif
