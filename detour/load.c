/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>

#include "detour.h"
#include "pair.h"

/* Whether the dynamic linker bound everyone to what the program has for the constants, as it exports them. */
static bool exports_constants(const struct pair *pair, const struct program *program)
{
    void *handle = dlopen(program->is_library ? program->path : NULL, RTLD_LAZY | RTLD_NOLOAD);
    size_t i = 0;
    while (handle && i < pair->count &&
           (!pair->names[i].is_provided || (uintptr_t)dlsym(handle, pair->names[i].text) == pair->names[i].address))
        i++;
    return i == pair->count;
}

void pair_check_order(const struct pair *pair, const struct program *program)
{
    for (int i = 0; i < pair->libraries; i++)
        if (dlopen(pair->paths[i], RTLD_LAZY | RTLD_NOLOAD) && !exports_constants(pair, program))
            refuse_program("%s is loaded ahead of what %s has linked in, by LD_PRELOAD or a library that needs MPI; start it without",
                    pair->paths[i], program->path);
}

void pair_load(struct pair *pair, const struct program *program)
{
    for (int i = 0; i < pair->libraries; i++)
        if (!(pair->handles[i] = dlopen(pair->paths[i], RTLD_NOW | RTLD_GLOBAL)))
            refuse_program("cannot load the pair for %s (%s); install it again", program->path, dlerror());
}

uintptr_t pair_address(const struct pair *pair, const struct name *name)
{
    return (uintptr_t)dlsym(pair->handles[name->library], name->text);
}
