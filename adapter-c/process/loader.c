/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "process/loader.h"

#include <link.h>

struct loader loader;
void *(*taken_dlopen)(const char *file, int mode);

/* In a process whose executable has fixed addresses, a function's address may be one in that executable's
 * PLT, which leads to a slot that is about to be replaced. */
static void *real(const char *name, void *function)
{
    Dl_info info;
    struct link_map *map = 0;
    int in_executable = dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP) && map && !map->l_name[0];
    void *next = in_executable ? dlsym(RTLD_NEXT, name) : 0;
    return next ? next : function;
}

void loader_find(void)
{
    loader.dlopen = (void *(*)(const char *, int))real("dlopen", (void *)dlopen);
    loader.dlmopen = (void *(*)(Lmid_t, const char *, int))real("dlmopen", (void *)dlmopen);
    loader.dlsym = (void *(*)(void *, const char *))real("dlsym", (void *)dlsym);
    loader.dlclose = (int (*)(void *))real("dlclose", (void *)dlclose);
}
