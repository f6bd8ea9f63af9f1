/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the file that an object would get by dlopen(). The folders depend on the object that calls dlopen(), and a hook's call
 * comes from the adapter. */
#ifndef DLOPEN_SEARCH_H
#define DLOPEN_SEARCH_H

#include <limits.h>

/* Finds the file that the object with the address `caller` gets by `file`. Returns its path, in `path`, if the adapter would get
 * another file; else `file` itself, which may be null. Does not know the names by which a library was opened before, as glibc
 * does: there, the path may be that of another file. */
const char *search_for(const void *caller, const char *file, char path[PATH_MAX]);

#endif
