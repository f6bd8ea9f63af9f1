/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256 (FIPS 180-4), by which a journal knows what it lists. */
#ifndef SHA256_H
#define SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_TEXT = 65 };      /* 64 digits and a null byte */

struct sha256 {
    uint32_t state[8];
    uint64_t length;            /* in bytes */
    unsigned char block[64];
};

/* Begins a sum. */
void sha256_begin(struct sha256 *sum);

/* Adds bytes to a sum. */
void sha256_add(struct sha256 *sum, const void *bytes, size_t size);

/* Ends a sum and writes its digits. */
void sha256_end(struct sha256 *sum, char text[SHA256_TEXT]);

#endif
