/* SPDX-License-Identifier: BSD-3-Clause */
/* A conversion that takes the slow way loses nothing of the code around it: here integer_slow() changes all
 * that the psABI lets a procedure change, and finds its way back to main() as debuggers and profilers do. Prints "right". */
#include <alloca.h>
#include <stdio.h>
#include <unwind.h>

#include "convert/codec.h"

/* Which of these functions the stack has above integer_slow(), as the unwind information tells. */
enum { WITH_FIXED_FRAME = 1, WITH_FRAME_POINTER = 2, MAIN = 4 };
static int is_traced, traced;
static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *unused);

int32_t pending;
int32_t looked;
static volatile unsigned char start = 7;

/* Changes all registers but those of the x87, which no conversion uses. */
static inline __attribute__((always_inline)) void change_registers(void)
{
    uint64_t garbage = 0x5a5a5a5a5a5a5a5au;
    __asm__ volatile("movq %%rax, %%rcx\n\tmovq %%rax, %%rdx\n\tmovq %%rax, %%rsi\n\tmovq %%rax, %%rdi\n\t"
                     "movq %%rax, %%r8\n\tmovq %%rax, %%r9\n\tmovq %%rax, %%r10\n\tmovq %%rax, %%r11\n\taddq %%rax, %%rax"
                     : "+a"(garbage)::"rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
#define ZERO(n) __asm__ volatile("pxor %%xmm" #n ", %%xmm" #n ::: "xmm" #n);
    ZERO(0) ZERO(1) ZERO(2) ZERO(3) ZERO(4) ZERO(5) ZERO(6) ZERO(7)
    ZERO(8) ZERO(9) ZERO(10) ZERO(11) ZERO(12) ZERO(13) ZERO(14) ZERO(15)
#ifdef __AVX__
    __asm__ volatile("vzeroall");
#endif
}

intptr_t integer_slow(int32_t handle, int handle_class)
{
    looked = looked * 10 + pending;
    if (is_traced)
        _Unwind_Backtrace(note_frame, NULL);
    change_registers();
    return (intptr_t)handle * 3 + handle_class;
}

/* Stand-ins for the functions that codec.c calls. */
intptr_t expand_slow(int32_t handle, int handle_class) { return 0; }
intptr_t predefined_number(int handle_class, int32_t app) { return 0; }

/* Nothing volatile moves past it. */
static inline __attribute__((always_inline)) intptr_t converted(int32_t handle)
{
    __asm__ volatile("" : "+r"(handle));
    intptr_t found = integer_elsewhere(handle, 5);
    __asm__ volatile("" : "+r"(found));
    return found;
}

/* Each value is in a register, if there are enough, on both sides of the conversion. */
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15) \
    DO(16) DO(17) DO(18) DO(19) DO(20) DO(21) DO(22) DO(23) DO(24) DO(25) DO(26) DO(27)

#ifdef __AVX__
typedef unsigned char vector __attribute__((vector_size(32)));
#else
typedef unsigned char vector __attribute__((vector_size(16)));
#endif

#define MAKE(n) vector v##n = (vector){} + (unsigned char)(start + n); __asm__ volatile("" : "+x"(v##n));
#define SUM(n) __asm__ volatile("" : "+x"(v##n)); total += v##n[sizeof v##n - 1];
__attribute__((noinline)) static int vectors(int32_t handle)
{
    int total = 0;
    EACH(MAKE)
    intptr_t found = converted(handle);
    EACH(SUM)
    return found == (intptr_t)handle * 3 + 5 && total == 28 * 7 + 28 * 27 / 2;
}

/* General registers keep theirs; %r11 and the handle's do not. */
#define MAKE_GENERAL(n) long g##n = start + n; __asm__ volatile("" : "+r"(g##n));
#define SUM_GENERAL(n) __asm__ volatile("" : "+r"(g##n)); total += g##n;
__attribute__((noinline)) static int generals(int32_t handle)
{
    long total = 0;
    MAKE_GENERAL(0) MAKE_GENERAL(1) MAKE_GENERAL(2) MAKE_GENERAL(3) MAKE_GENERAL(4) MAKE_GENERAL(5)
    MAKE_GENERAL(6) MAKE_GENERAL(7) MAKE_GENERAL(8) MAKE_GENERAL(9) MAKE_GENERAL(10) MAKE_GENERAL(11)
    intptr_t found = converted(handle);
    SUM_GENERAL(0) SUM_GENERAL(1) SUM_GENERAL(2) SUM_GENERAL(3) SUM_GENERAL(4) SUM_GENERAL(5)
    SUM_GENERAL(6) SUM_GENERAL(7) SUM_GENERAL(8) SUM_GENERAL(9) SUM_GENERAL(10) SUM_GENERAL(11)
    return found == (intptr_t)handle * 3 + 5 && total == 12 * 7 + 66;
}

/* A conversion sees each time what was written before it. */
__attribute__((noinline)) static int memory(int32_t handle)
{
    looked = 0;
    pending = 1;
    intptr_t found = integer_elsewhere(handle, 5);
    pending = 2;
    found += integer_elsewhere(handle, 5);
    pending = 3;
    return looked == 12 && found == 2 * ((intptr_t)handle * 3 + 5);
}

/* The compiler finds the caller's frame by the stack pointer in the first function, and not in the second one. */
__attribute__((noinline)) static intptr_t with_fixed_frame(int32_t handle)
{
    volatile char room[200];
    room[0] = 1;
    return converted(handle) + room[0];
}

__attribute__((noinline)) static intptr_t with_frame_pointer(int32_t handle)
{
    volatile char *room = alloca((size_t)handle * 16);
    room[0] = 1;
    return converted(handle) + room[0];
}

int main(void);

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *unused)
{
    const void *function = _Unwind_FindEnclosingFunction((void *)(_Unwind_GetIP(context) - 1));
    traced |= function == (void *)with_fixed_frame ? WITH_FIXED_FRAME : 0;
    traced |= function == (void *)with_frame_pointer ? WITH_FRAME_POINTER : 0;
    traced |= function == (void *)main ? MAIN : 0;
    return _URC_NO_REASON;
}

__attribute__((noinline)) static int backtrace_has(intptr_t (*function)(int32_t), int which)
{
    is_traced = 1;
    traced = 0;
    intptr_t found = function(9);
    is_traced = 0;
    return found == 9 * 3 + 5 + 1 && traced == (which | MAIN);
}

int main(void)
{
    const char *wrong = !vectors(9) ? "vectors" : !generals(9) ? "general"
                        : !memory(9) ? "memory"
                        : !backtrace_has(with_fixed_frame, WITH_FIXED_FRAME) ? "the way back"
                        : !backtrace_has(with_frame_pointer, WITH_FRAME_POINTER) ? "the way back from a frame pointer" : "right";
    puts(wrong);
    return 0;
}
