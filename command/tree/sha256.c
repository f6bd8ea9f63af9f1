/* SPDX-License-Identifier: BSD-3-Clause */
#include "sha256.h"

#include <stdio.h>
#include <string.h>

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t word, int bits)
{
    return word >> bits | word << (32 - bits);
}

static void add_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + (rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
               (rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t first = s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                         constants[i] + w[i];
        uint32_t second = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) +
                          ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

void sha256_begin(struct sha256 *sum)
{
    static const uint32_t first[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    memcpy(sum->state, first, sizeof first);
    sum->length = 0;
}

void sha256_add(struct sha256 *sum, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    while (size > 0) {
        size_t used = sum->length % 64, part = 64 - used < size ? 64 - used : size;
        memcpy(sum->block + used, at, part);
        sum->length += part;
        at += part;
        size -= part;
        if (sum->length % 64 == 0)
            add_block(sum->state, sum->block);
    }
}

void sha256_end(struct sha256 *sum, char text[SHA256_TEXT])
{
    uint64_t bits = sum->length * 8;
    unsigned char tail[8];
    sha256_add(sum, "\x80", 1);
    while (sum->length % 64 != 56)
        sha256_add(sum, "", 1);
    for (int i = 0; i < 8; i++)
        tail[i] = (unsigned char)(bits >> (56 - 8 * i));
    sha256_add(sum, tail, sizeof tail);
    for (int i = 0; i < 8; i++)
        snprintf(text + 8 * i, 9, "%08x", (unsigned)sum->state[i]);
}
