/* SPDX-License-Identifier: BSD-3-Clause */
#include "code.h"

#include <string.h>

static bool begins_with(const unsigned char *entry, uint64_t size, const unsigned char (*mark)[4])
{
    return size >= sizeof *mark && memcmp(entry, *mark, sizeof *mark) == 0;
}

#if defined __x86_64__

size_t code_kept(const unsigned char *entry, uint64_t size)
{
    static const unsigned char endbr64[4] = { 0xf3, 0x0f, 0x1e, 0xfa };
    return begins_with(entry, size, &endbr64) ? sizeof endbr64 : 0;
}

/* Code that is shorter than a jump and ends in ret cannot leave in another way. */
bool code_only_returns(const unsigned char *entry, uint64_t size)
{
    return size && size < code_kept(entry, size) + CODE_NEAR && entry[size - 1] == 0xc3;
}

/* jmp to */
bool code_near(unsigned char *code, uintptr_t from, uintptr_t to)
{
    int64_t distance = (int64_t)(to - from - CODE_NEAR);
    int32_t field = (int32_t)distance;
    code[0] = 0xe9;
    memcpy(code + 1, &field, sizeof field);
    return field == distance;
}

/* jmp *0(%rip), and the address */
void code_far(unsigned char *code, uintptr_t to)
{
    memcpy(code, (const unsigned char[]){ 0xff, 0x25, 0, 0, 0, 0 }, 6);
    memcpy(code + 6, &to, sizeof to);
}

/* movabs $text, %rdi */
void code_tell(unsigned char *code, const char *text, uintptr_t function)
{
    memcpy(code, (const unsigned char[]){ 0x48, 0xbf }, 2);
    memcpy(code + 2, &text, sizeof text);
    code_far(code + 10, function);
}

#elif defined __aarch64__

static void put(unsigned char *code, uint32_t instruction)
{
    memcpy(code, &instruction, sizeof instruction);
}

size_t code_kept(const unsigned char *entry, uint64_t size)
{
    static const unsigned char bti_c[4] = { 0x5f, 0x24, 0x03, 0xd5 };
    return begins_with(entry, size, &bti_c) ? sizeof bti_c : 0;
}

bool code_only_returns(const unsigned char *entry, uint64_t size)
{
    static const unsigned char ret[4] = { 0xc0, 0x03, 0x5f, 0xd6 };
    return size == code_kept(entry, size) + sizeof ret && memcmp(entry + size - sizeof ret, ret, sizeof ret) == 0;
}

/* b to */
bool code_near(unsigned char *code, uintptr_t from, uintptr_t to)
{
    int64_t words = (int64_t)(to - from) / 4;
    put(code, 0x14000000 | ((uint32_t)words & 0x03ffffff));
    return words >= -(1 << 25) && words < 1 << 25;
}

/* ldr x16, . + 8; br x16; and the address */
void code_far(unsigned char *code, uintptr_t to)
{
    put(code, 0x58000050);
    put(code + 4, 0xd61f0200);
    memcpy(code + 8, &to, sizeof to);
}

/* ldr x0, . + 16; ldr x16, . + 20; br x16; nop; and both addresses */
void code_tell(unsigned char *code, const char *text, uintptr_t function)
{
    put(code, 0x58000080);
    put(code + 4, 0x580000b0);
    put(code + 8, 0xd61f0200);
    put(code + 12, 0xd503201f);
    memcpy(code + 16, &text, sizeof text);
    memcpy(code + 24, &function, sizeof function);
}

#endif
