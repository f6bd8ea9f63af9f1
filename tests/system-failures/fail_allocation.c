// SPDX-License-Identifier: BSD-3-Clause
// Preloaded: one allocation that a library of the adapter asks for, itself or through the C library, finds no memory.
//
//   FAIL_AT=N      the Nth of the process
//   FAIL_LIST=FILE which are asked for by a call of their own, by their numbers, is written there as the process ends
//
// A program that finds fail_allocation() has one of the next calls fail, and hears whether that came to it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

enum { STACK = 10, FRAMES = 6, STACKS = 4096 };

static _Thread_local int busy;
static long count, fail_at;
static int is_ready, listed, is_listing;
static void *stacks[STACKS][FRAMES];
static long numbers[STACKS];

static const char *object_of(void *address)
{
    struct dl_find_object found;
    return _dl_find_object(address, &found) == 0 ? found.dlfo_link_map->l_name : "";
}

static int is_adapter(const char *object) { return strstr(object, "/mpi-adapter/") != 0; }

static int passes_on(const char *object)
{
    return strstr(object, "/libc.so") || strstr(object, "/ld-linux") || strstr(object, "fail_allocation");
}

/* Notes a call that has not been seen. The adapter's frames tell calls apart. */
static void note_stack(void **frames, int found)
{
    void *stack[FRAMES] = { 0 };
    int depth = 0;
    for (int i = 0; i < found && depth < FRAMES; i++)
        if (is_adapter(object_of(frames[i])))
            stack[depth++] = frames[i];
    for (int i = 0; i < listed; i++)
        if (memcmp(stacks[i], stack, sizeof stack) == 0)
            return;
    if (listed < STACKS) {
        memcpy(stacks[listed], stack, sizeof stack);
        numbers[listed++] = count;
    }
}

static int begin(void)
{
    const char *number = getenv("FAIL_AT");
    void *frame[2];
    is_ready = 1;
    is_listing = getenv("FAIL_LIST") != 0;
    fail_at = number ? atol(number) : 0;
    return backtrace(frame, 2); /* loads what it needs */
}

static int is_asked_by_adapter(void *caller, void **frames, int *found)
{
    if (!is_adapter(object_of(caller)) && !passes_on(object_of(caller)))
        return 0;
    *found = backtrace(frames, STACK);
    for (int i = 0; i < *found; i++)
        if (!passes_on(object_of(frames[i])))
            return is_adapter(object_of(frames[i]));
    return 0;
}

static int fails(void *caller)
{
    void *frames[STACK];
    int found = 0, fail = 0, before = errno;
    if (busy)
        return 0;
    busy = 1;
    if (!is_ready)
        begin();
    if ((fail_at != 0 || is_listing) && is_asked_by_adapter(caller, frames, &found)) {
        fail = ++count == fail_at;
        if (is_listing)
            note_stack(frames, found);
        if (fail && getenv("FAIL_SHOW"))
            backtrace_symbols_fd(frames, found, 2);
    }
    busy = 0;
    errno = fail ? ENOMEM : before;
    return fail;
}

/* The Nth allocation from now on fails; with 0, none. Returns whether the one that was to fail has done so. */
int fail_allocation(long number)
{
    int has_failed = fail_at != 0 && count >= fail_at;
    count = 0;
    fail_at = number;
    return has_failed;
}

void *malloc(size_t size) { return fails(__builtin_return_address(0)) ? 0 : __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return fails(__builtin_return_address(0)) ? 0 : __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { return fails(__builtin_return_address(0)) ? 0 : __libc_realloc(old, size); }

__attribute__((destructor)) static void end(void)
{
    busy = 1;
    int file = listed > 0 ? open(getenv("FAIL_LIST"), O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;
    for (int i = 0; file >= 0 && i < listed; i++)
        dprintf(file, "%ld\n", numbers[i]);
}
