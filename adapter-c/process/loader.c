/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/loader.h"

#include "process/linked.h"

struct loader loader;
void *(*taken_dlopen)(const char *file, int mode);

/* Returns a function's address in the dynamic linker. Where the executable has fixed addresses, `function` may be in its PLT, which
 * leads to a slot that is about to be replaced. */
static void *real_address(const char *name, void *function, const gotswap_linked *executable)
{
    void *next = linked_contains(executable, function) ? dlsym(RTLD_NEXT, name) : 0;
    return next ? next : function;
}

static void note_executable(const gotswap_list *list, void *context)
{
    *(gotswap_linked *)context = list->objects[0];
}

void loader_find(void)
{
    gotswap_linked executable = { 0 };
    if (loader.dlopen)
        return;
    linked_look(note_executable, &executable);
    loader.dlmopen = (void *(*)(Lmid_t, const char *, int))real_address("dlmopen", (void *)dlmopen, &executable);
    loader.dlsym = (void *(*)(void *, const char *))real_address("dlsym", (void *)dlsym, &executable);
    loader.dlclose = (int (*)(void *))real_address("dlclose", (void *)dlclose, &executable);
    loader.dlopen = (void *(*)(const char *, int))real_address("dlopen", (void *)dlopen, &executable);
}
