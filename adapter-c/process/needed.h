/* SPDX-License-Identifier: BSD-3-Clause */
/* The libraries that a library needs, read from its file before it is loaded. */
#ifndef NEEDED_H
#define NEEDED_H

/* Calls `visit` with the name of each DT_NEEDED entry. Returns the sum of its results; 0 for a file that is damaged, or is no
 * library for this machine. */
int needed_each(const char *path, int (*visit)(const char *name, const void *context), const void *context);

#endif
