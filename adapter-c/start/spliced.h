/* SPDX-License-Identifier: BSD-3-Clause */
/* A tree of programs whose libraries were replaced by links to the pair's (`mpi-adapter splice`). Elsewhere variables tell
 * the pair its host; nobody sets them for a tree. */
#ifndef SPLICED_H
#define SPLICED_H

/* Returns the path of the host's library that the tree has on record, or null. The caller frees it. Calls `preload`, unless that
 * is null, for each library that has to be loaded ahead of it. Ends the program if the splice was interrupted. Reads nothing if the
 * adapter was loaded from the pair's own folder. */
char *spliced_host(void preload(const char *path));

#endif
