/* SPDX-License-Identifier: BSD-3-Clause */
/* What a library's file says that the library needs, before it is loaded. */
#ifndef NEEDED_H
#define NEEDED_H

/* Calls `visit` with the name of each DT_NEEDED entry, and adds up what it returns. Of a file that is not one of this
 * machine's libraries, or is damaged, it is not called. */
int needed_each(const char *path, int (*visit)(const char *name, const void *context), const void *context);

#endif
