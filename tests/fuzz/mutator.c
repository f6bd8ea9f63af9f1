/* SPDX-License-Identifier: BSD-3-Clause */
/* How libFuzzer changes inputs: in its own ways, which know what code they reach, and in ours. */
#include "fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return size > 0 && seed % 3 ? fuzz_mutate(data, size, room, seed) : LLVMFuzzerMutate(data, size, room);
}
