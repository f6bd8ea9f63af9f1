/* SPDX-License-Identifier: BSD-3-Clause */
/* The object whose slots are swapped: a part of the executable or a library. */
#include "caller.h"

extern int callee(void);
extern char callee_data[];

int (*caller_table[2])(void) = {0, callee};

int own(void)
{
    return 1;
}

int call_direct(void)
{
    return callee() + 0;
}

int call_table(void)
{
    return caller_table[1]();
}

int call_own(void)
{
    return own() + 0;
}

#ifdef LIBRARY
char *caller_pointer = callee_data + 8;

struct __attribute__((packed)) packed {
    char space;
    int (*function)(void);
} caller_packed = {0, callee};

char *get_pointer(void)
{
    return caller_pointer;
}

int call_packed(void)
{
    return caller_packed.function();
}
#endif
