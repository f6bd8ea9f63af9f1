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

/* Takes the library for the program. There can be one MPI: it has one address for each constant. */
static void take_library(struct program *program, struct inside *inside, struct program *library)
{
    program_open_library(library);
    struct inside other = inside_find(library);
    if (inside->procedures)
        refuse_program("%s and %s both have an MPI linked in; link one of them with the shared library of its MPI", program->path, library->path);
    program_close(program);
    *program = *library;
    *inside = other;
}

/* Finds the executable if it has an MPI linked in, or the library that has. */
static struct inside find_inside(struct program *program)
{
    struct program library;
    program_open(program);
    struct inside inside = inside_find(program);
    for (size_t i = 1; inside_look_for(&library, &i); i++)
        take_library(program, &inside, &library);
    return inside;
}

/* Constructors of libraries run ahead of this one, and may have begun with the MPI inside, which cannot be replaced any more. */
static void refuse_begun(const struct program *program, const struct inside *inside)
{
    if (inside->state && *(const volatile unsigned char *)(program->base + inside->state))
        refuse_program("%s has %s linked in, and starts it when it is loaded, ahead of what could replace it; preload it ahead of %s, by LD_PRELOAD",
                program->path, inside->mpi->called, own_path());
}

/* Runs before the program's own constructors, and after those of libraries that it needs. */
__attribute__((constructor)) static void detour(void)
{
    struct program program = { 0 };
    struct inside inside = find_inside(&program);
    if (inside.procedures) {
        refuse_begun(&program, &inside);
        struct pair pair = { 0 };
        struct plan plan = { .program = &program, .pair = &pair, .inside = &inside };
        pair_find(&pair, getenv("LD_LIBRARY_PATH"), &program, &inside);
        plan_read(&plan);
        pair_check_order(&pair, &program);
        provide(&pair, &program);
        pair_load(&pair, &program);
        plan_make(&plan, pair_address);
        patch_write(&program, plan.patches, plan.patch_count);
        plan_free(&plan);
        pair_free(&pair);
    }
    program_close(&program);
}
