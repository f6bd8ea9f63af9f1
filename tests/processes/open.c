/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that knows no MPI and opens plugins.
 *
 *   open local|global WHAT PLUGIN:FUNCTION...
 *
 * Opens the plugins in that scope, each when those before it are in use, and calls each function with 1, unless WHAT is "idle", and,
 * if it is "spawn", with 3. The first initializes MPI (0) and finalizes it (2). Prints, for each plugin, what its function returned. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int function(int what);

static function *open_plugin(char *plugin, int scope)
{
    char *name = strrchr(plugin, ':');
    *name++ = 0;
    void *handle = dlopen(plugin, RTLD_NOW | scope);
    function *found = handle ? (function *)dlsym(handle, name) : 0;
    if (!found) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return found;
}

int main(int argc, char **argv)
{
    int scope = strcmp(argv[1], "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL, missed[16] = { 0 };
    function *plugins[16];
    for (int i = 3; i < argc; i++) {
        plugins[i - 3] = open_plugin(argv[i], scope);
        if (i == 3)
            plugins[0](0);
        for (int j = 0; j <= i - 3 && strcmp(argv[2], "idle") != 0; j++)
            missed[j] |= plugins[j](1);
    }
    for (int i = 3; i < argc && strcmp(argv[2], "spawn") == 0; i++)
        plugins[i - 3](3);
    plugins[0](2);
    for (int i = 3; i < argc; i++)
        printf("%s misses %d\n", argv[i], missed[i - 3]);
    return 0;
}
