/* SPDX-License-Identifier: BSD-3-Clause */
/* loading_again MODULE: opens a module that needs MPI, uses and closes it, and does so again. Prints what MPI says of itself at
 * the second time, and how its second start ends. */
#include <dlfcn.h>
#include <stdio.h>

static void *open_module(const char *name)
{
    void *module = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!module)
        printf("%s\n", dlerror());
    return module;
}

static void tell_state(void *module, const char *when)
{
    int begun = -1, ended = -1;
    ((void (*)(int *, int *))dlsym(module, "module_state"))(&begun, &ended);
    printf("%s: begun %d, ended %d\n", when, begun, ended);
    fflush(stdout);
}

int main(int count, char **arguments)
{
    void *module = open_module(arguments[count - 1]);
    int rank = -1, size = -1;
    ((void (*)(int *, int *))dlsym(module, "module_start"))(&rank, &size);
    tell_state(module, "first");
    ((void (*)(void))dlsym(module, "module_end"))();
    dlclose(module);
    module = open_module(arguments[count - 1]);
    tell_state(module, "again");
    if (count > 2) {
        ((void (*)(int *, int *))dlsym(module, "module_start"))(&rank, &size);
        printf("rank %d of %d\n", rank, size);
        ((void (*)(void))dlsym(module, "module_end"))();
    }
    return dlclose(module);
}
