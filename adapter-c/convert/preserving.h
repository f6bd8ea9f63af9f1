/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of cold functions, intptr_t function(int32_t handle, int handle_class), that change no general register but the result's and %r11.
 * A wrapper makes such a call while its arguments are in registers: after an ordinary call each wrapper would have to save them,
 * on its hot path, too. That is 10 of 35 instructions of an MPI_Allreduce. Debuggers, profilers and exceptions find the caller.
 * The compiler may not use the red zone (adapter-c.mk), and nothing that converts handles uses registers of the x87. */
#ifndef PRESERVING_H
#define PRESERVING_H

#include "convert/types.h"

/* Other architectures, debug builds and AVX-512, whose registers are not in the list below, have an ordinary call. */
#if defined __x86_64__ && defined __OPTIMIZE__ && !defined __AVX512F__

/* The function's counterpart, which DEFINE_PRESERVING() defines: the handle is in %rax, the class in %r11, the result in %rax.
 * Any register may hold both for the wrapper. */
#define CALL_PRESERVING(function, handle, handle_class)                                            \
    __extension__({ intptr_t result_ = (handle); register long class_ __asm__("r11") = (handle_class); \
    __asm__("xchgq %0, %%rax\n\tcall " #function "_preserving\n\txchgq %0, %%rax" : "+r"(result_), "+r"(class_) : : "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", \
            "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"); result_; })

#else
#define CALL_PRESERVING(function, handle, handle_class) function(handle, handle_class)
#endif

/* Saves the general registers that a procedure may change, and aligns the stack, because the caller is in the midst of a wrapper. */
#if defined __x86_64__
#define DEFINE_PRESERVING(function)                                                                \
    __asm__(".text\n.hidden " #function "_preserving\n.globl " #function "_preserving\n"           \
            ".type " #function "_preserving,@function\n"                                           \
            #function "_preserving:\n"                                                             \
            "    .cfi_startproc\n"                                                                 \
            "    pushq %rbp\n    .cfi_def_cfa_offset 16\n    .cfi_offset %rbp, -16\n"              \
            "    movq %rsp, %rbp\n    .cfi_def_cfa_register %rbp\n"                                \
            "    pushq %rdi\n    pushq %rsi\n    pushq %rdx\n    pushq %rcx\n"                     \
            "    pushq %r8\n    pushq %r9\n    pushq %r10\n    pushq %r10\n"                       \
            "    andq $-16, %rsp\n"                                                                \
            "    movl %eax, %edi\n    movl %r11d, %esi\n    call " #function "\n"                  \
            "    leaq -64(%rbp), %rsp\n"                                                           \
            "    popq %r10\n    popq %r10\n    popq %r9\n    popq %r8\n"                           \
            "    popq %rcx\n    popq %rdx\n    popq %rsi\n    popq %rdi\n"                         \
            "    popq %rbp\n    .cfi_def_cfa %rsp, 8\n    .cfi_restore %rbp\n"                     \
            "    ret\n    .cfi_endproc\n.size " #function "_preserving, .-" #function "_preserving\n")
#else
#define DEFINE_PRESERVING(function) _Static_assert(1, "nothing to define")
#endif

#endif
