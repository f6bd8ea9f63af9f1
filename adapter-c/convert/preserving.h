/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of cold functions, intptr_t function(int32_t handle, int handle_class), that touch no general register but the
 * handle's and one more, on x86-64. The function that makes such a call need not save its arguments that are in registers. */
#ifndef PRESERVING_H
#define PRESERVING_H

#include "convert/types.h"

/* Registers that the psABI lets a procedure change and a stub does not save: vector registers, each
 * in its full width, those of the x87 and of MMX, which are the same, masks, flags, and memory, which
 * the function reads. A compiler takes the names of those registers only that it may use. */
#define VECTOR_REGISTERS                                                                           \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", \
        "xmm13", "xmm14", "xmm15"
#define X87_REGISTERS "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)"
#ifdef __MMX__
#define MMX_REGISTERS , "mm0", "mm1", "mm2", "mm3", "mm4", "mm5", "mm6", "mm7"
#else
#define MMX_REGISTERS
#endif
#ifdef __AVX512F__
#define AVX512_REGISTERS                                                                           \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", \
        "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define AVX512_REGISTERS
#endif

/* PRESERVING(name, function) defines such a call, and PRESERVING_STUB(function) its other half, in one file. The first
 * instruction steps over the red zone. */
#if defined __x86_64__ && defined __OPTIMIZE__
#define PRESERVING(name, function)                                                                 \
    INLINE intptr_t name(int32_t handle, const int handle_class)                                   \
    {                                                                                              \
        intptr_t result = (uint32_t)handle;                                                        \
        __asm__("leaq -128(%%rsp), %%rsp\n\txchgq %0, %%rax\n\tmovl %1, %%r11d\n\tcall " #function "_preserving\n\t" \
                "xchgq %0, %%rax\n\tleaq 128(%%rsp), %%rsp"                                        \
                : "+r"(result)                                                                     \
                : "i"(handle_class)                                                                \
                : "r11", "cc", "memory", VECTOR_REGISTERS, X87_REGISTERS MMX_REGISTERS AVX512_REGISTERS); \
        return result;                                                                             \
    }
#else
#define PRESERVING(name, function)                                                                 \
    INLINE intptr_t name(int32_t handle, const int handle_class) { return function(handle, handle_class); }
#endif

/* function(%eax, %r11d), result in %rax. Saves the general registers that a procedure may change, except %r11, and aligns
 * the stack, because the caller is in the midst of a wrapper. The caller has moved the stack pointer by 128, of which its
 * own unwind information does not tell. So the frame of this function includes those bytes, and debuggers find the
 * caller's. */
#if defined __x86_64__
#define PRESERVING_STUB(function)                                                                  \
    __asm__(".text\n.hidden " #function "_preserving\n.globl " #function "_preserving\n"          \
            ".type " #function "_preserving,@function\n"                                           \
            #function "_preserving:\n"                                                             \
            "    .cfi_startproc\n"                                                                 \
            "    .cfi_def_cfa_offset 8 + 128\n    .cfi_offset %rip, -8 - 128\n"                    \
            "    pushq %rbp\n"                                                                     \
            "    .cfi_def_cfa_offset 16 + 128\n    .cfi_offset %rbp, -16 - 128\n"                  \
            "    movq %rsp, %rbp\n"                                                                \
            "    .cfi_def_cfa_register %rbp\n"                                                     \
            "    pushq %rdi\n    pushq %rsi\n    pushq %rdx\n    pushq %rcx\n"                     \
            "    pushq %r8\n    pushq %r9\n    pushq %r10\n    pushq %r10\n"                       \
            "    andq $-16, %rsp\n"                                                                \
            "    movl %eax, %edi\n    movl %r11d, %esi\n    call " #function "\n"                  \
            "    leaq -64(%rbp), %rsp\n"                                                           \
            "    popq %r10\n    popq %r10\n    popq %r9\n    popq %r8\n"                           \
            "    popq %rcx\n    popq %rdx\n    popq %rsi\n    popq %rdi\n    popq %rbp\n"          \
            "    .cfi_def_cfa %rsp, 8 + 128\n    .cfi_restore %rbp\n"                              \
            "    ret\n"                                                                            \
            "    .cfi_endproc\n"                                                                   \
            ".size " #function "_preserving, .-" #function "_preserving\n");
#else
#define PRESERVING_STUB(function)
#endif

#endif
