/* SPDX-License-Identifier: BSD-3-Clause */
/* loader MODULE FILE [now] [global] [close]: a program without MPI that loads a module with it. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int now = 0, global = 0, closing = 0;
    for (int i = 3; i < argc; i++) {
        now |= strcmp(argv[i], "now") == 0;
        global |= strcmp(argv[i], "global") == 0;
        closing |= strcmp(argv[i], "close") == 0;
    }
    void *module = dlopen(argv[1], (now ? RTLD_NOW : RTLD_LAZY) | (global ? RTLD_GLOBAL : RTLD_LOCAL));
    int (*run)(const char *) = module ? (int (*)(const char *))dlsym(module, "module_run") : 0;
    if (!run) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int bad = run(argv[2]);
    if (closing)
        bad |= dlclose(module);
    puts(bad ? "wrong" : "right");
    return bad;
}
