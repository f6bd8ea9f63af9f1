/* SPDX-License-Identifier: BSD-3-Clause */
/* The dynamic linker's own functions, for isolation to call. Libraries such as UCX put functions of theirs into every slot of
 * dlopen(), also into the adapter's. */
#ifndef LOADER_H
#define LOADER_H

#include <dlfcn.h>

extern struct loader {
    void *(*dlopen)(const char *file, int mode);
    void *(*dlmopen)(Lmid_t space, const char *file, int mode);
    void *(*dlsym)(void *handle, const char *symbol);
    int (*dlclose)(void *handle);
} loader;

/* The function that another library put into the host's slots of dlopen(), or null. */
extern void *(*taken_dlopen)(const char *file, int mode);

/* Finds the functions. To be called before any is used. */
void loader_find(void);

#endif
