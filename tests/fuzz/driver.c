/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a fuzz target without libFuzzer: driver RUNS FILE...  The target reads each file as it is, and then RUNS
 * changed ones, the same in every run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { ROOM = 1 << 20 };

static uint8_t original[ROOM], changed[ROOM];

static size_t load(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(original, 1, sizeof original, file) : 0;
    if (!file || fclose(file) != 0) {
        perror(path);
        exit(2);
    }
    return size;
}

/* Gives the target a heap block of exactly this size, so that reading behind it is found. */
static void give(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void run(const char *path, unsigned runs)
{
    size_t size = load(path);
    give(original, size);
    for (unsigned i = 0; i < runs; i++) {
        memcpy(changed, original, size);
        give(changed, fuzz_mutate(changed, size, sizeof changed, i * 2654435761u));
    }
}

int main(int argc, char **argv)
{
    unsigned runs = argc > 2 ? (unsigned)strtoul(argv[1], NULL, 10) / (unsigned)(argc - 2) : 0;
    if (argc < 3) {
        fprintf(stderr, "usage: %s RUNS FILE...\n", argv[0]);
        return 2;
    }
    for (int i = 2; i < argc; i++)
        run(argv[i], runs);
    return 0;
}
