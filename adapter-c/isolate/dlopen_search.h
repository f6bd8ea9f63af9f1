/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the dynamic linker looks for a library that another object opens. That depends on the object that calls
 * dlopen(), which is the adapter when a hook calls it. */
#ifndef DLOPEN_SEARCH_H
#define DLOPEN_SEARCH_H

#include <limits.h>

/* Finds the file that `caller`, an address in an object, gets by `file`. Returns its path, in `path`, where the adapter
 * would get another file, and else `file` itself. The names by which a library was opened before are not known
 * (glibc has them), nor are folders for kinds of processors (glibc-hwcaps): there, the result may be a path to another file. */
const char *search_for(const void *caller, const char *file, char path[PATH_MAX]);

#endif
