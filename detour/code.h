/* SPDX-License-Identifier: BSD-3-Clause */
/* Code that detours are made of, on this architecture. None of it uses the stack, or a register that holds an argument. */
#ifndef CODE_H
#define CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined __x86_64__
#define DETOUR_MACHINE EM_X86_64
enum { CODE_NEAR = 5, CODE_FAR = 14, CODE_TELL = 24, CODE_ALIGN = 1 };
#elif defined __aarch64__
#define DETOUR_MACHINE EM_AARCH64
enum { CODE_NEAR = 4, CODE_FAR = 16, CODE_TELL = 32, CODE_ALIGN = 4 };
#else
#error "detours are written for x86-64 and aarch64"
#endif

/* Returns how many bytes at a function's entry have to stay: the mark of where an indirect call may lead. */
size_t code_kept(const unsigned char *entry, uint64_t size);

/* Returns whether a function that is too short for a jump does nothing but return a value. */
bool code_only_returns(const unsigned char *entry, uint64_t size);

/* Write a jump: CODE_NEAR bytes that lead from an address to another one not far from it, or false if it is too far; CODE_FAR bytes that
 * lead anywhere; and CODE_TELL bytes that call a function with a text. */
bool code_near(unsigned char *code, uintptr_t from, uintptr_t to);
void code_far(unsigned char *code, uintptr_t to);
void code_tell(unsigned char *code, const char *text, uintptr_t function);

#endif
