/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Included ahead of each small library of a pair. Pairs of one application have some of the same content, and the linker
 * computes a build-id from the content: without the name of the pair in it, two packages would hold one build-id, and the
 * packages with their debugging symbols one file. The text goes to .comment, which no process maps.
 */
#define PAIR_TEXT(name) #name
#define PAIR_IDENT(name) __asm__(".ident \"mpi-adapter " PAIR_TEXT(name) "\"")
PAIR_IDENT(PAIR);
