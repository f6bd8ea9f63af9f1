/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Included ahead of each small library of a pair. Pairs of one application have some of the same content, and the linker
 * computes a build-id from the content: without the name of the pair in it, two packages would hold one build-id, and the
 * packages with their debugging symbols one file. The text goes to a section that no process maps. Its symbol keeps it where
 * sections that nothing uses are dropped.
 */
#define PAIR_TEXT(name) #name
#define PAIR_COMMENT(name) \
    __asm__(".pushsection .pair, \"\", %progbits\n.globl of_pair\n.hidden of_pair\nof_pair: .asciz \"mpi-adapter " PAIR_TEXT(name) \
            "\"\n.popsection")
PAIR_COMMENT(PAIR);
