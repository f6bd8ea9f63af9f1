/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names of the relocations that gotswap rewrites, one block for each
 * architecture.  To add an architecture, add a block: it must have 64-bit
 * addresses and relocations with explicit addends (DT_RELA).
 */
#ifndef GOTSWAP_ARCH_H
#define GOTSWAP_ARCH_H

#include <elf.h>

#if defined __x86_64__ && defined __LP64__
#define ARCH_NAME "x86-64"
#define ARCH_MACHINE EM_X86_64
#define ARCH_JUMP_SLOT R_X86_64_JUMP_SLOT
#define ARCH_GLOB_DAT R_X86_64_GLOB_DAT
#define ARCH_ABSOLUTE R_X86_64_64
#elif defined __aarch64__ && defined __LP64__
#define ARCH_NAME "aarch64"
#define ARCH_MACHINE EM_AARCH64
#define ARCH_JUMP_SLOT R_AARCH64_JUMP_SLOT
#define ARCH_GLOB_DAT R_AARCH64_GLOB_DAT
#define ARCH_ABSOLUTE R_AARCH64_ABS64
#else
#error "gotswap: the relocations of this architecture are not named in gotswap/arch.h"
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCH_DATA ELFDATA2LSB
#else
#define ARCH_DATA ELFDATA2MSB
#endif

#endif
