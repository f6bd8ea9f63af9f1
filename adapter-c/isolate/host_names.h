/* SPDX-License-Identifier: BSD-3-Clause */
/* The names by which objects need the host's libraries: those of its family, and the soname of the library that was loaded, which
 * may be a vendor's or a copy's. */
#ifndef HOST_NAMES_H
#define HOST_NAMES_H

#include "isolate/load_span.h"

/* Adds the soname of the host's library, whose handle this is, and hides what was loaded with it since the span began and has such
 * a name. */
void host_names_start(void *handle, const struct load_span *span);

/* Returns whether a file has such a name. */
int host_names_have(const char *file);

/* Returns whether an object was linked against a library with such a name. */
int host_names_needed(const gotswap_linked *object);

/* Returns whether an address is in a library that is hidden from the program. */
int host_names_hide(const void *address);

#endif
