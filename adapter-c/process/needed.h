/* SPDX-License-Identifier: BSD-3-Clause */
/* The libraries that a library needs, and texts that it exports, read from its file: nothing of it is loaded. */
#ifndef NEEDED_H
#define NEEDED_H

#include <stddef.h>

/* Calls `visit` with the name of each DT_NEEDED entry. Returns the sum of its results; 0 for a file that is damaged, or is no
 * library for this machine. */
int needed_each(const char *path, int (*visit)(const char *name, const void *context), const void *context);

/* Copies the text that the library exports as an object of this name. Returns its length; 0 if there is none, it does not fit in
 * `room` bytes with its end, or the file is as above. */
size_t needed_text(const char *path, const char *symbol, char *text, size_t room);

#endif
