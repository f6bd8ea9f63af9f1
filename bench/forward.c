/* SPDX-License-Identifier: BSD-3-Clause */
/* The floor: a library that stands in for an MPI of the same ABI and does nothing but jump to the
 * real one. It needs that one by its path, FORWARD_LIBRARY, so that data symbols come from there.
 * forward.h, made from the real library, has a FORWARD() for each procedure. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#if !defined __x86_64__
#error "the floor is written for x86-64"
#endif

#define FORWARD(name)                                                                              \
    __attribute__((visibility("hidden"))) void *at_##name;                                         \
    __asm__(".text\n.globl " #name "\n.type " #name ",@function\n" #name ":\n"                     \
            "    jmp *at_" #name "(%rip)\n.size " #name ", .-" #name "\n");
#include "forward.h"
#undef FORWARD

static const struct forwarded {
    const char *name;
    void **address;
} all[] = {
#define FORWARD(name) { #name, &at_##name },
#include "forward.h"
};

__attribute__((constructor)) static void find(void)
{
    void *library = dlopen(FORWARD_LIBRARY, RTLD_LAZY);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i].address = library ? dlsym(library, all[i].name) : 0;
        if (!*all[i].address) {
            fprintf(stderr, "forward: no %s in %s\n", all[i].name, FORWARD_LIBRARY);
            exit(1);
        }
    }
}
