/* SPDX-License-Identifier: BSD-3-Clause */
/* Callbacks without an extra-state argument (user reductions, error handlers) and with one that
 * belongs to the application (attribute callbacks): the host gets the address of a trampoline
 * that knows the application's function.
 *
 * Trampolines are alike to the byte: each finds its data one block further on, so blocks of them
 * are mapped from one executable, never writable memory file, and their data lies in pages of its
 * own. There is one trampoline for a function and the way it is called, for as long as the process
 * lives: a freed MPI_Op or keyval may still be in use (MPI-4.1 sections 6.9.5 and 7.7), and a
 * program has only so many functions. */
#ifndef CLOSURE_H
#define CLOSURE_H

#include "types.h"

/* The trampoline's target: called by the host, it hands the application's function on as one
 * argument more. */
typedef void closure_entry(void);

/* The trampoline of `function` by way of `entry`; null if memory is lacking. Thread-safe. */
COLD mpi_function *closure(closure_entry *entry, mpi_function *function);

/* CLOSURE_ENTRY_3(entry, target): the target's third argument is the application's function. */
#if defined __x86_64__
#define CLOSURE_REGISTER_ENTRY(entry, target, register)                                            \
    __asm__(".text\n.type " #entry ",@function\n" #entry ":\n"                                     \
            "    movq 8(%r10), %" register "\n    jmp " #target "\n.size " #entry ", .-" #entry "\n"); \
    extern __attribute__((visibility("hidden"))) closure_entry entry;
#define CLOSURE_ENTRY_3(entry, target) CLOSURE_REGISTER_ENTRY(entry, target, "rdx")
#define CLOSURE_ENTRY_5(entry, target) CLOSURE_REGISTER_ENTRY(entry, target, "r8")
#define CLOSURE_ENTRY_7(entry, target)                                                             \
    __asm__(".text\n.type " #entry ",@function\n" #entry ":\n    .cfi_startproc\n"                 \
            "    pushq 8(%r10)\n    .cfi_adjust_cfa_offset 8\n    call " #target "\n"              \
            "    addq $8, %rsp\n    .cfi_adjust_cfa_offset -8\n    ret\n    .cfi_endproc\n"        \
            ".size " #entry ", .-" #entry "\n");                                                   \
    extern __attribute__((visibility("hidden"))) closure_entry entry;
#elif defined __aarch64__
#define CLOSURE_REGISTER_ENTRY(entry, target, register)                                            \
    __asm__(".text\n.type " #entry ",%function\n" #entry ":\n"                                     \
            "    ldr " register ", [x16, #8]\n    b " #target "\n.size " #entry ", .-" #entry "\n"); \
    extern __attribute__((visibility("hidden"))) closure_entry entry;
#define CLOSURE_ENTRY_3(entry, target) CLOSURE_REGISTER_ENTRY(entry, target, "x2")
#define CLOSURE_ENTRY_5(entry, target) CLOSURE_REGISTER_ENTRY(entry, target, "x4")
#define CLOSURE_ENTRY_7(entry, target) CLOSURE_REGISTER_ENTRY(entry, target, "x6")
#else
#error "closures are written for x86-64 and aarch64"
#endif

#endif
