/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders that the dynamic linker searches for the libraries that an object opens: the linker's own answer, dlinfo(3). */
#ifndef SEARCH_FOLDERS_H
#define SEARCH_FOLDERS_H

#include <dlfcn.h>
#include <link.h>

/* Returns the loaded object that an address lies in, or null. */
struct link_map *object_with(const void *address);

/* Returns the folders for an object, in the order of the search; null if there is no object, or memory runs out. The caller frees them. */
Dl_serinfo *search_folders(struct link_map *object);

#endif
