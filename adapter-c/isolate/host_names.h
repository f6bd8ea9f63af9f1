/* SPDX-License-Identifier: BSD-3-Clause */
/* By which names the host's libraries are needed: those of its family, and what the library that was loaded calls
 * itself, which may be a vendor's name or a copy's. */
#ifndef HOST_NAMES_H
#define HOST_NAMES_H

#include "process/linked.h"

/* `handle` is the host's library. */
void host_names_start(void *handle);

/* True if a file has such a name. */
int host_names_have(const char *file);

/* True if an object was linked against a library with such a name. */
int host_names_needed(const gotswap_linked *object);

#endif
