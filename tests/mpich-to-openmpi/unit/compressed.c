/* SPDX-License-Identifier: BSD-3-Clause */
/* adapter-c/convert/compress.c on its own, with pointers that lead nowhere. Prints "right". */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "convert/compress.h"
#include "require.h"

#define GIB ((intptr_t)1 << 30)

static intptr_t expand(int32_t handle)
{
    return is_compressed(handle) ? expand_handle(handle) : expand_slow(handle, 0);
}

/* There and back, and the same handle each time; never one that predefined handles have, nor one of an
 * integer in disguise. */
static int32_t cycle(intptr_t pointer)
{
    int32_t handle = compress_pointer(pointer, 0);
    CHECK(expand(handle) == pointer);
    CHECK(compress_pointer(pointer, 0) == handle);
    CHECK((uint32_t)handle >> 30 >= 2 && !((uint32_t)handle >= 0x8c000000u && (uint32_t)handle < COMPRESS_FIRST));
    return handle;
}

/* Resident kilobytes. */
static long resident(void)
{
    long pages = 0, ignored;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld %ld", &ignored, &pages) == 2);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void one_region(void)
{
    intptr_t base = 0x5555 * GIB;
    CHECK(compress_pointer(0, 0) == 0);
    CHECK(expand_slow((int32_t)0x8bffffffu, 0) == 0 && expand_slow((int32_t)0x80000000u, 0) == 0);
    CHECK(expand_slow((int32_t)0x90000000u, 0) == 0 && expand_slow((int32_t)0xffffffffu, 0) == 0);
    int32_t first = cycle(base), last = cycle(base + GIB - 16);
    CHECK(is_compressed(first) && is_compressed(last) && (uint32_t)last - (uint32_t)first == GIB / 16 - 1);
    /* Misaligned ones get numbers of their own. */
    for (int i = 1; i < 16; i++) {
        int32_t handle = cycle(base + i);
        CHECK(!is_compressed(handle) && handle != first);
    }
    CHECK(compress_pointer(base + 8, 0) != compress_pointer(base + 7, 0));
}

/* Regions a multiple of 64 GiB away from each other share a bucket. */
static void shared_buckets(void)
{
    intptr_t base = 0x5555 * GIB, other = base + 64 * GIB;
    int32_t one = cycle(base + 160), two = cycle(other + 160);
    CHECK(one != two && is_compressed(two));
    for (int i = 0; i < 1000; i++) {
        CHECK(cycle(base + 16 * i) != cycle(other + 16 * i));
        CHECK(is_compressed(cycle(other + 16 * i)));
    }
}

/* The heap of programs at fixed addresses, below 1 GiB, has the region's number 0. */
static void low(void)
{
    for (intptr_t pointer = 0x400000; pointer < GIB; pointer = pointer * 2 + 16)
        CHECK(is_compressed(cycle(pointer)));
    CHECK(is_compressed(cycle(16)) && cycle(16) != cycle(32));
}

static void many_regions(void)
{
    int32_t handles[64];
    int compressed = 0;
    for (int i = 0; i < 64; i++)
        handles[i] = cycle((0x7000 + 3 * i) * GIB + 4096);
    for (int i = 0; i < 64; i++) {
        compressed += is_compressed(handles[i]);
        CHECK(expand(handles[i]) == (0x7000 + 3 * i) * GIB + 4096);
        for (int j = 0; j < i; j++)
            CHECK(handles[i] != handles[j]);
    }
    /* Three regions have a number by now: 16 do in all. */
    CHECK(compressed == COMPRESS_REGIONS - 3);
    /* And those that had one keep it. */
    CHECK(is_compressed(cycle(0x5555 * GIB + 32)));
}

/* An integer in disguise, of a class of handles. */
static uint32_t disguised(intptr_t pointer, int handle_class)
{
    int32_t handle = compress_pointer(pointer, handle_class);
    CHECK(expand_slow(handle, handle_class) == pointer && compress_pointer(pointer, handle_class) == handle);
    return (uint32_t)handle;
}

static int is_of_range(uint32_t handle)
{
    return handle >= COMPRESS_INTEGERS && handle < COMPRESS_FIRST;
}

static void integers(void)
{
    /* As MPICH's own standard ABI has them, and as ours has them on MPICH: dynamic and predefined handles. */
    CHECK(disguised((int32_t)0x84000001, 1) == 0x90000001u);
    CHECK(disguised((int32_t)0x84000002, 1) == 0x90000002u);
    CHECK(disguised((int32_t)0xc4000010, 1) == 0x94000010u);
    CHECK(disguised((int32_t)0x87ffffff, 1) == 0x93ffffffu);
    CHECK(disguised((intptr_t)0xffffffff44000000u, 1) == 0x98000000u);
    CHECK(disguised(0x44000001, 1) == 0x9c000001u);
    CHECK(disguised(0x201, 1) == 0xa0000201u);
    CHECK(disguised(0xfc000001u, 1) == 0xa4000001u && disguised((int32_t)0xfc000001, 1) == 0xa8000001u);
    /* A handle of another class is none. */
    CHECK(expand_slow((int32_t)0x90000001u, 2) == 0);
    CHECK(disguised((int32_t)0x98000000, 2) == 0x90000000u);
    CHECK(expand_slow((int32_t)0x94000000u, 2) == 0);
    /* The 13th range has single numbers. */
    for (uint32_t i = 0; i < 16; i++) {
        intptr_t pointer = (int32_t)(0x40000000u + (i << 26) + 5);
        CHECK(is_of_range(disguised(pointer, 3)) == (i < COMPRESS_RANGES));
    }
    for (uint32_t i = 0; i < 16; i++) {
        intptr_t pointer = (int32_t)(0x40000000u + (i << 26) + 6);
        uint32_t handle = disguised(pointer, 3);
        CHECK(is_of_range(handle) == (i < COMPRESS_RANGES) && !is_compressed((int32_t)handle));
    }
}

/* Neither memory nor numbers are used up. */
static void many_integers(void)
{
    long before = resident();
    for (uint32_t i = 0; i < 10000000; i++)
        CHECK(disguised((int32_t)(0x80000000u + 7 * i), 4) == COMPRESS_INTEGERS + 7 * i);
    CHECK(resident() - before < 256);
}

/* A host that frees and allocates uses the same addresses again. */
static void recycled(void)
{
    uint32_t random = 1;
    for (int i = 0; i < 5000; i++)
        cycle(0x7f00 * GIB + 16 * i), cycle(0x5555 * GIB + 16 * i);
    long before = resident();
    for (int i = 0; i < 10000000; i++) {
        random = random * 1664525u + 1013904223u;
        intptr_t pointer = (random >> 31 ? 0x7f00 : 0x5555) * GIB + 16 * (random >> 8) % (16 * 5000);
        pointer &= ~(intptr_t)15;
        int32_t handle = compress_pointer(pointer, 0);
        CHECK(expand(handle) == pointer);
    }
    CHECK(resident() - before < 256);
}

static pthread_barrier_t together;
static int32_t of_thread[8][40][100], of_thread_too[8][COMPRESS_RANGES][100];

static void *registers(void *argument)
{
    int thread = (int)(intptr_t)argument;
    pthread_barrier_wait(&together);
    for (int i = 0; i < 100; i++)
        for (int region = 0; region < 40; region++) {
            int turn = (region + thread * 5) % 40;
            intptr_t pointer = (0x3000 + 7 * turn) * GIB + 16 * i;
            of_thread[thread][turn][i] = compress_pointer(pointer, 0);
            CHECK(expand(of_thread[thread][turn][i]) == pointer);
        }
    for (int i = 0; i < 100; i++)
        for (int range = 0; range < COMPRESS_RANGES; range++) {
            int turn = (range + thread * 5) % COMPRESS_RANGES;
            of_thread_too[thread][turn][i] = (int32_t)disguised((int32_t)(0x80000000u + (turn << 26) + i), 1);
        }
    return 0;
}

/* Eight threads meet new regions and ranges at once: all see the same handles. Before anything else, while no
 * region has a number. */
static void threads(void)
{
    pthread_t thread[8];
    pthread_barrier_init(&together, 0, 8);
    for (intptr_t i = 0; i < 8; i++)
        pthread_create(&thread[i], 0, registers, (void *)i);
    for (int i = 0; i < 8; i++)
        pthread_join(thread[i], 0);
    for (int i = 1; i < 8; i++)
        CHECK(memcmp(of_thread[i], of_thread[0], sizeof of_thread[0]) == 0 &&
              memcmp(of_thread_too[i], of_thread_too[0], sizeof of_thread_too[0]) == 0);
    for (int range = 0; range < COMPRESS_RANGES; range++)
        CHECK(is_of_range((uint32_t)of_thread_too[0][range][0]));
    int compressed = 0;
    for (int region = 0; region < 40; region++)
        compressed += is_compressed(of_thread[0][region][0]);
    CHECK(compressed == COMPRESS_REGIONS);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "threads") == 0) {
        threads();
    } else {
        one_region();
        shared_buckets();
        low();
        integers();
        many_integers();
        many_regions();
        recycled();
    }
    puts("right");
    return 0;
}
