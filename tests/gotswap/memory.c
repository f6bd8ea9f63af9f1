/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gotswap_open_memory() reads what gotswap_open_address() does, slot by slot,
 * in every loaded object, and opens no file. It swaps slots in pages of any
 * protection, and restores the protection. Arguments: the paths of libraries to
 * be loaded; the last is the one of caller.c.
 */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int reads;
static int objects;

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = (flags & O_CREAT) ? va_arg(arguments, int) : 0;
    va_end(arguments);
    reads++;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

struct slots {
    gotswap_slot *slots;
    size_t count;
};

static int keep(const gotswap_slot *slot, void *context)
{
    struct slots *slots = context;
    slots->slots = realloc(slots->slots, (slots->count + 1) * sizeof *slot);
    CHECK(slots->slots);
    slots->slots[slots->count++] = *slot;
    return 0;
}

static int compare(const char *path, const void *base, void *context)
{
    gotswap_object *file;
    gotswap_object *memory;
    struct slots one = {0};
    struct slots other = {0};
    (void)context;
    objects++;
    CHECK(gotswap_open_address(&file, base) == GOTSWAP_OK);
    int before = reads;
    CHECK(gotswap_open_memory(&memory, base) == GOTSWAP_OK);
    CHECK(reads == before);
    CHECK(gotswap_iterate(file, keep, &one) == GOTSWAP_OK && gotswap_iterate(memory, keep, &other) == GOTSWAP_OK);
    CHECK(one.count == other.count && gotswap_base(file) == gotswap_base(memory));
    for (size_t i = 0; i < one.count; i++) {
        const gotswap_slot *a = &one.slots[i];
        const gotswap_slot *b = &other.slots[i];
        if (strcmp(a->symbol, b->symbol) != 0 || a->slot != b->slot || a->value != b->value || a->addend != b->addend ||
            a->type != b->type || a->bound != b->bound || a->imported != b->imported) {
            fprintf(stderr, "%s: %s %d %d\n", path, a->symbol, a->bound, b->bound);
            exit(1);
        }
    }
    free(one.slots);
    free(other.slots);
    gotswap_close(file);
    gotswap_close(memory);
    return 0;
}

/* The lines of /proc/self/maps that name the file. */
static size_t read_protections(const char *file, char *lines, size_t size)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4096];
    size_t used = 0;
    CHECK(maps);
    while (fgets(line, sizeof line, maps))
        if (strstr(line, file))
            used += (size_t)snprintf(lines + used, size - used, "%s", line);
    fclose(maps);
    CHECK(used > 0 && used < size);
    return used;
}

static int two(void)
{
    return 2;
}

static void swap(const char *path, int (*caller)(void))
{
    static char before[16384];
    static char after[16384];
    const char *file = strrchr(path, '/') + 1;
    gotswap_object *object;
    CHECK(caller() == 1);
    read_protections(file, before, sizeof before);
    CHECK(gotswap_open_memory(&object, (const void *)caller) == GOTSWAP_OK);
    CHECK(gotswap_replace(object, "callee", (void *)two, NULL) == GOTSWAP_OK && caller() == 2);
    CHECK(gotswap_restore(object) == GOTSWAP_OK && caller() == 1);
    CHECK(gotswap_close(object) == GOTSWAP_OK);
    read_protections(file, after, sizeof after);
    CHECK(strcmp(before, after) == 0);
}

int main(int argc, char **argv)
{
    void *handle = NULL;
    gotswap_object *object;
    for (int i = 1; i < argc; i++)
        CHECK((handle = dlopen(argv[i], RTLD_LAZY)));
    CHECK(gotswap_open_memory(NULL, argv) == GOTSWAP_EINVAL && gotswap_open_memory(&object, NULL) == GOTSWAP_EINVAL);
    CHECK(gotswap_open_memory(&object, (void *)1) == GOTSWAP_ENOTLOADED);
    CHECK(gotswap_each_loaded(compare, NULL) == GOTSWAP_OK && objects > 2);
    static const char *const callers[] = {"call_direct", "call_table", "call_packed"};
    for (size_t i = 0; i < sizeof callers / sizeof *callers; i++)
        swap(argv[argc - 1], (int (*)(void))dlsym(handle, callers[i]));
    return 0;
}
