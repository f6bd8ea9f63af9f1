/* SPDX-License-Identifier: BSD-3-Clause */
#include "detour.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "inside.h"
#include "pair.h"
#include "patch.h"
#include "plan.h"
#include "provider.h"

void refuse_program(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("mpi-adapter: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    _exit(1);
}

void *allocate(void *old, size_t size)
{
    void *memory = realloc(old, size ? size : 1);
    if (!memory)
        refuse_program("out of memory for replacing the MPI that is linked in; start fewer processes on this machine");
    return memory;
}

void refuse_call(const char *name)
{
    refuse_program("%s calls %s of the MPI that is linked into it, which nothing here replaces; link it with the shared library of its MPI",
            program_invocation_name, name);
}

const char *own_path(void)
{
    static Dl_info own;
    return dladdr(&own, &own) ? own.dli_fname : "this library";
}

/* Runs before the program's own constructors. */
__attribute__((constructor)) static void detour(void)
{
    struct program program = { 0 };
    program_open(&program);
    struct inside inside = inside_find(&program);
    if (inside.procedures) {
        struct pair pair = { 0 };
        struct plan plan = { .program = &program, .pair = &pair, .inside = &inside };
        pair_find(&pair, getenv("LD_LIBRARY_PATH"), &program, &inside);
        plan_read(&plan);
        provide(&pair, &program);
        pair_load(&pair, &program);
        plan_make(&plan, pair_address);
        patch_write(&program, plan.patches, plan.patch_count);
        plan_free(&plan);
        pair_free(&pair);
    }
    program_close(&program);
}
