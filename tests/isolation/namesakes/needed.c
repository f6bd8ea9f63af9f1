/* SPDX-License-Identifier: BSD-3-Clause */
/* needed FILE [SEED]: prints what the library's file says that it needs; with a seed, of copies that are cut off or have
 * wrong bytes where the tables are, of which nothing is expected but an end. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "process/needed.h"

static int print(const char *name, const void *context)
{
    const char *silent = context;
    if (!silent)
        puts(name);
    return name[0] != 0;
}

static unsigned state;

static unsigned number(unsigned below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

/* The headers and the dynamic section are damaged most. */
static void damage(char *bytes, size_t size, const char *path)
{
    int copy = memfd_create("copy", 0);
    size_t dynamic = size > 8192 ? number((unsigned)size - 4096) : 0;
    for (unsigned i = 1 + number(6); i > 0; i--)
        bytes[i % 2 ? number(size < 1024 ? (unsigned)size : 1024) : dynamic + number(4096)] = (char)number(256);
    size_t kept = number(4) ? size : number((unsigned)size);
    if (copy < 0 || write(copy, bytes, kept) != (ssize_t)kept)
        exit(2);
    char name[32];
    snprintf(name, sizeof name, "/proc/self/fd/%d", copy);
    needed_each(name, print, path);
    close(copy);
}

int main(int argc, char **argv)
{
    FILE *file = fopen(argv[1], "r");
    static char whole[1 << 20], bytes[1 << 20];
    size_t size = file ? fread(whole, 1, sizeof whole, file) : 0;
    if (argc < 3)
        return needed_each(argv[1], print, 0) == 0;
    state = (unsigned)atoi(argv[2]);
    for (int round = 0; round < 3000; round++) {
        for (size_t i = 0; i < size; i++)
            bytes[i] = whole[i];
        damage(bytes, size, argv[1]);
    }
    return 0;
}
