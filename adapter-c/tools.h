/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiling tools made for the host: libraries that define MPI_ procedures in the host's types and call
 * PMPI_ ones. They stand between the adapter and the host. Tools made for the application's ABI stand
 * in front of the adapter, by preloading, and are no business of it. */
#ifndef TOOLS_H
#define TOOLS_H

/* Loads the tools that MPI_ADAPTER_HOST_TOOLS names and isolates them; ends the process if one cannot
 * be loaded or is made for the application's ABI. `handle` is the host's library. */
void tools_load(void *handle);

/* Takes those that were preloaded, too; ends the process if the program's calls would reach one, or the
 * host, past the adapter. To be called when isolate_arrivals() has found them. */
void tools_adopt(void);

/* The first tool's procedure of this name, or null. */
void *tools_find(const char *symbol);

/* Puts the tools' procedures into the host's table. */
void tools_apply(void);

/* Calls `visit` for each tool. */
void tools_each(void (*visit)(const char *path));

#endif
