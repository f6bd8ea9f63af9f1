/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>

#include "detour.h"
#include "pair.h"

void pair_load(struct pair *pair, const struct program *program)
{
    for (int i = 0; i < pair->libraries; i++)
        if (dlopen(pair->paths[i], RTLD_LAZY | RTLD_NOLOAD))
            refuse_program("%s is loaded ahead of what %s has linked in, by LD_PRELOAD or a library that needs MPI; start it without",
                    pair->paths[i], program->path);
    for (int i = 0; i < pair->libraries; i++)
        if (!(pair->handles[i] = dlopen(pair->paths[i], RTLD_NOW | RTLD_GLOBAL)))
            refuse_program("cannot load the pair for %s (%s); install it again", program->path, dlerror());
}

uintptr_t pair_address(const struct pair *pair, const struct name *name)
{
    return (uintptr_t)dlsym(pair->handles[name->library], name->text);
}
