/* SPDX-License-Identifier: BSD-3-Clause */
#include "look.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "detour.h"
#include "plan.h"

/* Set while a program is looked at. */
static jmp_buf refused;
static char *problem;

void refuse_program(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem, LOOK_PROBLEM, format, arguments);
    va_end(arguments);
    longjmp(refused, 1);
}

void *allocate(void *old, size_t size)
{
    void *memory = realloc(old, size ? size : 1);
    if (!memory)
        refuse_program("out of memory; try again when there is more");
    return memory;
}

void refuse_call(const char *name)
{
    (void)name; /* never called: the code that would is not written */
    abort();
}

const char *own_path(void)
{
    return "detour.so";
}

const char *look_interface(enum interface_inside interface)
{
    static const char *const names[] = {
        [INSIDE_C] = "C", [INSIDE_CXX] = "C++", [INSIDE_MPIF] = "mpif.h or use mpi", [INSIDE_F08] = "mpi_f08",
    };
    return names[interface];
}

/* A pair that is not loaded has no addresses. Functions of one library that are the same get the same number. */
static uintptr_t place_of(const struct pair *pair, const struct name *name)
{
    (void)pair;
    return ((uintptr_t)(name->library + 1) << 40) + name->place;
}

/* Holds what is freed when the look ends, by whatever. */
struct looking {
    struct program program;
    struct pair pair;
    struct plan plan;
};

static void look_at(struct looking *looking, struct look *look, const char *path, const char *folders)
{
    program_open_file(&looking->program, path);
    struct inside inside = inside_find(&looking->program);
    look->mpi = inside.mpi;
    look->interfaces = inside.interfaces;
    snprintf(look->release, sizeof look->release, "%s", inside.release);
    if (!folders || !inside.mpi)
        return;
    looking->plan = (struct plan){ .program = &looking->program, .pair = &looking->pair, .inside = &inside };
    pair_find(&looking->pair, folders, &looking->program, &inside);
    plan_read(&looking->plan);
    plan_make(&looking->plan, place_of);
}

void look_inside(struct look *look, const char *path, const char *folders)
{
    struct looking *looking = calloc(1, sizeof *looking);
    *look = (struct look){ .mpi = NULL };
    problem = look->problem;
    if (!looking)
        snprintf(problem, LOOK_PROBLEM, "out of memory; try again when there is more");
    else if (setjmp(refused) == 0)
        look_at(looking, look, path, folders);
    if (looking) {
        plan_free(&looking->plan);
        pair_free(&looking->pair);
        program_close(&looking->program);
    }
    free(looking);
}
