/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * look PROGRAM WORD...: the first process of a look into an image (parts/look.bash).  Runs PROGRAM with the WORDs, then an
 * empty word, then each variable of the environment as a word NAME=VALUE.
 *
 * The environment is the image's, and may say what else is to run: LD_PRELOAD, LD_AUDIT, BASH_ENV, an exported function.  So
 * PROGRAM gets these as words, and an environment that says nothing.  This file uses no C library: a dynamic loader would have
 * followed LD_PRELOAD before main(), and not every system has a static one.
 */
#include <stddef.h>
#include <sys/syscall.h>

/* The kernel starts a process with the stack pointer at argc, argv, a null, the environment, a null. */
#if defined __x86_64__
__asm__(".globl _start\n_start:\n\tmov %rsp, %rdi\n\tand $-16, %rsp\n\tcall look\n\thlt\n");

static long call(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}
#elif defined __aarch64__
__asm__(".globl _start\n_start:\n\tmov x0, sp\n\tbl look\n\tbrk #0\n");

static long call(long number, long a, long b, long c)
{
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
}
#else
#error "look: how a process begins on this architecture is not in command/look.c"
#endif

/* bash asks the C library for HOME and SHELL if they are missing, which loads what the image's nsswitch.conf names. */
static const char *const plain_environment[] = {"HOME=/", "SHELL=/", "PATH=/", "LC_ALL=C", NULL};

static const char failed[] = "mpi-adapter: the look into the image cannot be started; install mpi-adapter again\n";

__attribute__((noreturn)) void look(char **stack);

void look(char **stack)
{
    size_t count = (size_t)stack[0];
    char **words = stack + 2;
    /* The null behind the words becomes the empty word, so that the environment goes on from there. */
    static char end[1];
    if (count > 1) {
        stack[1 + count] = end;
        call(SYS_execve, (long)words[0], (long)words, (long)plain_environment);
    }
    call(SYS_write, 2, (long)failed, sizeof failed - 1);
    for (;;)
        call(SYS_exit_group, 127, 0, 0);
}
