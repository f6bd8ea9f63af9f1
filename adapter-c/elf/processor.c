/* SPDX-License-Identifier: BSD-3-Clause */
#include "elf/processor.h"

#include <gnu/libc-version.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __x86_64__
#include <cpuid.h>

static int has_bits(unsigned leaf, unsigned wanted)
{
    unsigned a, b, c = 0, d;
    return __get_cpuid(leaf, &a, &b, &c, &d) && (c & wanted) == wanted;
}

/* The level of the x86-64 psABI, as far as the system supports it. */
static int level(void)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("popcnt") || !__builtin_cpu_supports("ssse3") || !__builtin_cpu_supports("sse4.2") ||
        !has_bits(1, bit_CMPXCHG16B) || !has_bits(0x80000001, bit_LAHF_LM))
        return 1;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") ||
        !__builtin_cpu_supports("fma") || !has_bits(1, bit_F16C | bit_MOVBE) || !has_bits(0x80000001, bit_ABM))
        return 2;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512cd") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
        return 3;
    return 4;
}

static const char *const all_kinds[] = { "x86-64-v4", "x86-64-v3", "x86-64-v2", NULL };
enum { WORST = 3 };
#else
static int level(void)
{
    return 1;
}

static const char *const all_kinds[] = { NULL };
enum { WORST = 0 };
#endif

/* Asking the processor takes long in a virtual machine, so its answer is kept. */
const char *const *elf_processor_kinds(void)
{
    static const char *const *kept;
    const char *const *kinds = __atomic_load_n(&kept, __ATOMIC_RELAXED);
    int major, minor;
    if (kinds)
        return kinds;
    int knows = sscanf(gnu_get_libc_version(), "%d.%d", &major, &minor) == 2 && (major > 2 || minor >= 33);
    kinds = knows ? all_kinds + WORST - (level() - 1) : all_kinds + WORST;
    __atomic_store_n(&kept, kinds, __ATOMIC_RELAXED);
    return kinds;
}
