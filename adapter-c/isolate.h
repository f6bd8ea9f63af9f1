/* SPDX-License-Identifier: BSD-3-Clause */
/* Isolation of the host's objects by gotswap. */
#ifndef ISOLATE_H
#define ISOLATE_H

/* Binds the calls of the host's library, and of everything it depends on, to itself; `handle` and
 * `path` are its dlopen() handle and file. Objects that the host loads later follow. Ends the
 * process, naming the slot, if one of these could still reach the adapter. */
void isolate_host(void *handle, const char *path);

/* Looks at all of the host's objects again, whatever happened to them since. */
void isolate_prove(void);

/* How many slots were replaced, in how many objects. */
void isolate_count(int *slots, int *objects);

#endif
