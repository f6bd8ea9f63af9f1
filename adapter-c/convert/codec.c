/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/codec.h"

int special_requests;

intptr_t integer_slow(int32_t handle, int handle_class)
{
    intptr_t found = handle < 0 ? expand_slow(handle, handle_class) : 0;
    if (found == 0)
        found = predefined_number(handle_class, handle);
    if (found == 0 && handle_class == CLASS_REQUEST)
        note_no_request();
    return found;
}

#if defined __x86_64__
/* integer_slow(%eax, %r11d), result in %rax. Saves the general registers that a procedure may change, except %r11, and aligns
 * the stack, because the caller is in the midst of a wrapper. The caller has moved the stack pointer by 128, of which its own unwind
 * information does not tell. So the frame of this function includes those bytes, and debuggers find the caller's. */
__asm__(".text\n.hidden integer_slow_preserving\n.globl integer_slow_preserving\n"
        ".type integer_slow_preserving,@function\n"
        "integer_slow_preserving:\n"
        "    .cfi_startproc\n"
        "    .cfi_def_cfa_offset 8 + 128\n    .cfi_offset %rip, -8 - 128\n"
        "    pushq %rbp\n"
        "    .cfi_def_cfa_offset 16 + 128\n    .cfi_offset %rbp, -16 - 128\n"
        "    movq %rsp, %rbp\n"
        "    .cfi_def_cfa_register %rbp\n"
        "    pushq %rdi\n    pushq %rsi\n    pushq %rdx\n    pushq %rcx\n"
        "    pushq %r8\n    pushq %r9\n    pushq %r10\n    pushq %r10\n"
        "    andq $-16, %rsp\n"
        "    movl %eax, %edi\n    movl %r11d, %esi\n    call integer_slow\n"
        "    leaq -64(%rbp), %rsp\n"
        "    popq %r10\n    popq %r10\n    popq %r9\n    popq %r8\n"
        "    popq %rcx\n    popq %rdx\n    popq %rsi\n    popq %rdi\n    popq %rbp\n"
        "    .cfi_def_cfa %rsp, 8 + 128\n    .cfi_restore %rbp\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size integer_slow_preserving, .-integer_slow_preserving\n");
#endif
