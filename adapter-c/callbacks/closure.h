/* SPDX-License-Identifier: BSD-3-Clause */
/* Callbacks without an extra-state argument (user reductions, error handlers) and with one that
 * belongs to the application (attribute callbacks): the host gets the address of a trampoline
 * that knows the application's function.
 *
 * Trampolines are part of the library's text, and each finds its data at the same distance in the
 * library's data. When all of them are used, the same text is mapped from the library's file again,
 * with memory for data at that distance; no file stays open, and nothing is writable and executable.
 * There is one trampoline for a function and the way it is called, for as long as the process lives: a
 * freed MPI_Op or keyval may still be in use (MPI-4.1 sections 6.9.5 and 7.7), and a program has only
 * so many functions. */
#ifndef CLOSURE_H
#define CLOSURE_H

#include "convert/types.h"

/* The trampoline's target. The host calls the trampoline, which calls this with the application's function as one more
 * argument. */
typedef void closure_entry(void);

/* Return the trampoline of `function` by way of `entry`, for callbacks with up to four arguments and with six. Thread-safe.
 * Return null, and the first time write a line on stderr, if no more trampolines are possible: the call that needs one
 * fails then with MPI_ERR_NO_MEM. */
COLD mpi_function *closure(closure_entry *entry, mpi_function *function);
COLD mpi_function *closure_of_six(closure_entry *entry, mpi_function *function);

/* Returns the same as closure() if that returned it not long ago, else null. */
HIDDEN mpi_function *recent_closure(mpi_function *function, closure_entry *entry);

/* Points the trampoline of `function` by way of `entry`, if there is one, to another entry for callbacks with as many
 * arguments; the host keeps its address. */
COLD void closure_redirect(closure_entry *entry, mpi_function *function, closure_entry *other);

/* CLOSURE_ENTRY_3(entry, target): the target's third argument is the application's function. A
 * trampoline hands that on as the fifth; of six arguments the fifth is saved (closure.c says where). */
#define CLOSURE_ENTRY_5(entry, target) static closure_entry *const entry = (closure_entry *)target;
#if defined __x86_64__
#define CLOSURE_THUNK(entry, code)                                                                 \
    __asm__(".text\n.type " #entry ",@function\n" #entry ":\n    .cfi_startproc\n    endbr64\n"    \
            code "    .cfi_endproc\n.size " #entry ", .-" #entry "\n");                            \
    extern __attribute__((visibility("hidden"))) closure_entry entry;
#define CLOSURE_ENTRY_3(entry, target) CLOSURE_THUNK(entry, "    movq %r8, %rdx\n    jmp " #target "\n")
#define CLOSURE_ENTRY_7(entry, target)                                                             \
    CLOSURE_THUNK(entry, "    pushq %r8\n    .cfi_adjust_cfa_offset 8\n    movq %r10, %r8\n    call " #target "\n" \
                         "    addq $8, %rsp\n    .cfi_adjust_cfa_offset -8\n    ret\n")
#elif defined __aarch64__
#define CLOSURE_THUNK(entry, code)                                                                 \
    __asm__(".text\n.balign 4\n.type " #entry ",%function\n" #entry ":\n    .cfi_startproc\n    hint #34\n" \
            code "    .cfi_endproc\n.size " #entry ", .-" #entry "\n");                            \
    extern __attribute__((visibility("hidden"))) closure_entry entry;
#define CLOSURE_ENTRY_3(entry, target) CLOSURE_THUNK(entry, "    mov x2, x4\n    b " #target "\n")
#define CLOSURE_ENTRY_7(entry, target)                                                             \
    CLOSURE_THUNK(entry, "    mov x6, x4\n    mov x4, x9\n    b " #target "\n")
#else
#error "closures are written for x86-64 and aarch64"
#endif

#endif
