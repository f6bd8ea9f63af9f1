/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of processors, for which libraries may have variants in folders of their own: glibc-hwcaps, ld.so(8). */
#ifndef ELF_PROCESSOR_H
#define ELF_PROCESSOR_H

/* Returns the names of the kinds that this processor is of, as glibc calls them, the best first, with a null behind. There is none for a glibc
 * before 2.33, which does not know such folders. */
const char *const *elf_processor_kinds(void);

#endif
