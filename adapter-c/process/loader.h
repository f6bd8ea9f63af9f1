/* SPDX-License-Identifier: BSD-3-Clause */
/* The dynamic linker's own functions. Libraries such as UCX put functions of theirs into every slot of
 * dlopen, also the adapter's; whatever isolates the host calls these. */
#ifndef LOADER_H
#define LOADER_H

#include <dlfcn.h>

extern struct loader {
    void *(*dlopen)(const char *file, int mode);
    void *(*dlmopen)(Lmid_t space, const char *file, int mode);
    void *(*dlsym)(void *handle, const char *symbol);
    int (*dlclose)(void *handle);
} loader;

/* A function that somebody put into the host's slots of dlopen, or null. */
extern void *(*taken_dlopen)(const char *file, int mode);

/* Finds the dynamic linker's; to be called first. */
void loader_find(void);

#endif
