/* SPDX-License-Identifier: BSD-3-Clause */
#include "layers/layers.h"

/* The entries of layer_entry(), one after the other. Each is a jump to what the table holds for its procedure by then. */
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#if defined __x86_64__
enum { ENTRY_SIZE = 8 };
#define JUMP "jmp *host + place(%rip)\n.balign 8\n"
#elif defined __aarch64__
enum { ENTRY_SIZE = 16 };
#define JUMP "adrp x16, host + place\nldr x16, [x16, :lo12:host + place]\nbr x16\n.balign 16\n"
#else
#error "write the jump for this architecture"
#endif

__asm__(".text\n.balign 16\n.globl layer_entries\n.hidden layer_entries\n.type layer_entries, %function\nlayer_entries:\n.cfi_startproc\n"
        ".set place, 0\n.rept " TEXT(HOST_PROCEDURES) "\n" JUMP ".set place, place + 8\n.endr\n"
        ".cfi_endproc\n.size layer_entries, . - layer_entries\n");
extern HIDDEN const char layer_entries[];

mpi_function *layer_entry(int procedure)
{
    return (mpi_function *)(layer_entries + (size_t)procedure * ENTRY_SIZE);
}
