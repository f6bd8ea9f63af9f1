/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shows gotswap's view of this process, one function a command:
 *   tool [-l LIBRARY | -n LIBRARY | -x SHELL-COMMAND]... COMMAND [ARGUMENT]
 * -l loads a library, -n loads it into a namespace of its own, -x runs a
 * command meanwhile.  A failed call prints "CODE: message" and exits with 1.
 */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const names[] = {"OK",     "ENOTLOADED", "EFILE", "EELF",  "EARCH",
                                    "ENOSYM", "EPROT",      "EMEM",  "EINVAL"};

/* An address in the library loaded last. */
static const void *last;

/* Leaves without calling code of libraries that a test may have damaged. */
static void finish(int code)
{
    if (code)
        printf("%s: %s\n", names[code], gotswap_message());
    fflush(stdout);
    _exit(code != 0);
}

static int print_slot(const gotswap_slot *slot, void *context)
{
    printf("%lx %d %s\n", (unsigned long)((uintptr_t)slot->slot - (uintptr_t)context), slot->type,
           slot->symbol);
    return 0;
}

static int print_path(const char *path, const void *base, void *context)
{
    (void)context;
    CHECK(memcmp(base, ELFMAG, SELFMAG) == 0);
    puts(path);
    return 0;
}

static void list(const char *name)
{
    gotswap_object *object;
    int code = gotswap_open(&object, *name ? name : NULL);
    if (code)
        finish(code);
    const Elf64_Ehdr *header = gotswap_base(object);
    uintptr_t bias = header->e_type == ET_EXEC ? 0 : (uintptr_t)header;
    code = gotswap_iterate(object, print_slot, (void *)bias);
    gotswap_close(object);
    finish(code);
}

static void open_and_close(int code, gotswap_object *object)
{
    if (code == 0)
        puts(gotswap_path(object));
    gotswap_close(object);
    finish(code);
}

static const void *mapped(int fd)
{
    int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_PRIVATE;
    const void *memory = mmap(NULL, 8192, PROT_READ, flags, fd, 0);
    CHECK(memory != MAP_FAILED);
    return memory;
}

static void open_special(const char *which)
{
    static char in_bss[100000];
    gotswap_object *object = NULL;
    const void *address = NULL;
    if (strcmp(which, "vdso") == 0) {
        address = (const void *)getauxval(AT_SYSINFO_EHDR);
        if (!address)
            exit(3); /* some tools hide it */
    }
    else if (strcmp(which, "anonymous") == 0)
        address = mapped(-1);
    else if (strcmp(which, "read") == 0)
        address = mapped(open("/proc/self/exe", O_RDONLY));
    else if (strcmp(which, "bss") == 0)
        address = in_bss + sizeof in_bss / 2;
    else if (strcmp(which, "code") == 0)
        address = (const void *)open_special;
    else if (strcmp(which, "one") == 0)
        address = (const void *)1;
    else if (strcmp(which, "last") == 0)
        address = last;
    int code = gotswap_open_address(&object, address);
    open_and_close(code, object);
}

static void replace(const char *name, const char *symbol)
{
    gotswap_object *object = NULL;
    int code = gotswap_open(&object, *name ? name : NULL);
    if (!code)
        code = gotswap_replace(object, symbol, (void *)replace, NULL);
    finish(code);
}

static int prepare(const char *option, const char *argument)
{
    struct link_map *map = NULL;
    void *handle = NULL;
    if (strcmp(option, "-x") == 0)
        return system(argument) == 0;
    if (strcmp(option, "-n") == 0)
        handle = dlmopen(LM_ID_NEWLM, argument, RTLD_NOW);
    else
        handle = dlopen(argument, RTLD_NOW | RTLD_GLOBAL);
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map))
        return 0;
    last = map->l_ld;
    return 1;
}

int main(int argc, char **argv)
{
    int i = 1;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2)
        if (!prepare(argv[i], argv[i + 1])) {
            fprintf(stderr, "tool: %s %s failed\n", argv[i], argv[i + 1]);
            return 2;
        }
    const char *command = i < argc ? argv[i] : "";
    const char *argument = i + 1 < argc ? argv[i + 1] : "";
    gotswap_object *object = NULL;
    if (strcmp(command, "list") == 0)
        list(argument);
    if (strcmp(command, "open") == 0) {
        int code = gotswap_open(&object, argument);
        open_and_close(code, object);
    }
    if (strcmp(command, "open-special") == 0)
        open_special(argument);
    if (strcmp(command, "replace") == 0 && i + 2 < argc)
        replace(argument, argv[i + 2]);
    if (strcmp(command, "loaded") == 0)
        finish(gotswap_each_loaded(print_path, NULL));
    if (strcmp(command, "dependencies") == 0)
        finish(gotswap_each_dependency(*argument ? argument : NULL, print_path, NULL));
    fprintf(stderr, "tool: unknown command %s\n", command);
    return 2;
}
