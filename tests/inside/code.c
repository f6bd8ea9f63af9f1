/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes each kind of code of detour/code.c over functions, and calls these. Prints "right", or what went wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "code.h"

static int sum_of(int a, int b, int c, int d, int e, int f, double g) { return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + (int)g; }

static int told(const char *text) { return strcmp(text, "PMPI_Nothing") == 0 ? 42 : 0; }

static void expect(const char *what, int got, int wanted)
{
    if (got != wanted) {
        printf("%s: %d, not %d\n", what, got, wanted);
        exit(1);
    }
}

static unsigned char *pages(void)
{
    unsigned char *at = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static void make_executable(unsigned char *at)
{
    mprotect(at, 65536, PROT_READ | PROT_EXEC);
    __builtin___clear_cache((char *)at, (char *)at + 65536);
}

int main(void)
{
    unsigned char *at = pages();
    int (*volatile far)(int, int, int, int, int, int, double) = (int (*)(int, int, int, int, int, int, double))(void *)at;
    int (*volatile near)(int, int, int, int, int, int, double) = (int (*)(int, int, int, int, int, int, double))(void *)(at + 64);
    int (*volatile tells)(int) = (int (*)(int))(void *)(at + 128);
    code_far(at, (uintptr_t)sum_of);
    expect("near", code_near(at + 64, (uintptr_t)at + 64, (uintptr_t)at), 1);
    code_tell(at + 128, "PMPI_Nothing", (uintptr_t)told);
    make_executable(at);
    expect("far jump", far(1, 2, 3, 4, 5, 6, 7.5), 98);
    expect("near jump", near(1, 2, 3, 4, 5, 6, 7.5), 98);
    expect("telling jump", tells(0), 42);
    unsigned char code[CODE_TELL];
    expect("too far", code_near(code, 0x1000, 0x1000 + (1ull << 40)), 0);
    expect("too far back", code_near(code, 1ull << 40, 0x1000), 0);
    puts("right");
    return 0;
}
