/* SPDX-License-Identifier: BSD-3-Clause */
/* adapter-c/convert/compress.c on its own, with pointers that lead nowhere. Prints "right". */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "convert/compress.h"
#include "require.h"
#include "resident.h"

#define MIB ((intptr_t)1 << 20)
#define GIB ((intptr_t)1 << 30)
#define TIB ((intptr_t)1 << 40)
#define REGION ((intptr_t)1 << COMPRESS_REGION_LOG2)

/* Of this thread, those of the codec among them: it calls this function, too. */
static _Thread_local long locks;

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    locks++;
    while (pthread_mutex_trylock(mutex) != 0)
        sched_yield();
    return 0;
}

static intptr_t expand(int32_t handle)
{
    intptr_t pointer = expand_handle(handle, 0);
    CHECK(is_pointer(pointer) || unexpanded(pointer) == handle);
    return is_pointer(pointer) ? pointer : expand_slow(handle, 0);
}

/* True of the handle of an object that has a region. */
static int is_in_region(int32_t handle)
{
    return (uint32_t)handle >= COMPRESS_FIRST;
}

/* The same at an odd multiple of 8. */
static int is_in_odd_region(int32_t handle)
{
    return (uint32_t)handle >= COMPRESS_ODD_FIRST && (uint32_t)handle < COMPRESS_FIRST;
}

/* There and back, and the same handle each time; never one that predefined handles have, nor one of an
 * integer in disguise. */
static int32_t cycle(intptr_t pointer)
{
    int32_t handle = compress_pointer(pointer, 0);
    CHECK(expand(handle) == pointer);
    CHECK(compress_pointer(pointer, 0) == handle);
    CHECK((uint32_t)handle >> 30 >= 2 && !((uint32_t)handle >= 0x8c000000u && (uint32_t)handle < COMPRESS_ODD_FIRST));
    /* A handle that has a region is found there. */
    CHECK(is_pointer(expand_handle(handle, 0)) == ((uint32_t)handle >= COMPRESS_ODD_FIRST));
    return handle;
}

static int leads_nowhere(uint32_t handle)
{
    intptr_t expanded = expand_handle((int32_t)handle, 0);
    return !is_pointer(expanded) && unexpanded(expanded) == (int32_t)handle &&
           expand_slow((int32_t)handle, 0) == 0;
}

static void one_region(void)
{
    intptr_t base = 0x5555 * GIB;
    CHECK(compress_pointer(0, 0) == 0);
    CHECK(leads_nowhere(0) && leads_nowhere(16) && leads_nowhere(0x48000000u) && leads_nowhere(0x80000000u));
    CHECK(leads_nowhere(0x8bffffffu) && leads_nowhere(0x90000000u) && leads_nowhere(0xffffffffu));
    CHECK(leads_nowhere(0xb0000000u) && leads_nowhere(0xbfffffffu));
    int32_t first = cycle(base), last = cycle(base + REGION - 16);
    CHECK(is_in_region(first) && is_in_region(last) && (uint32_t)first - (uint32_t)last == REGION / 16 - 1);
    CHECK(leads_nowhere((uint32_t)first + 1));
    /* Misaligned ones get numbers of their own, or have a region of their own. */
    for (int i = 1; i < 16; i++) {
        int32_t handle = cycle(base + i);
        CHECK(!is_in_region(handle) && is_in_odd_region(handle) == (i == 8));
    }
    first = cycle(base + 8), last = cycle(base + REGION - 8);
    /* As a thread finds it that did not see the origin. */
    CHECK(expand_slow(first, 0) == base + 8 && expand_slow(cycle(base), 0) == base);
    CHECK(is_in_odd_region(first) && is_in_odd_region(last) && (uint32_t)first - (uint32_t)last == REGION / 16 - 1);
    CHECK(leads_nowhere((uint32_t)first + 1));
}

/* Regions a multiple of 1 TiB away from each other share a place. */
static void shared_places(void)
{
    intptr_t base = 0x5555 * GIB, other = base + TIB;
    int32_t one = cycle(base + 160), two = cycle(other + 160);
    CHECK(one != two && is_in_region(two));
    for (int i = 0; i < 1000; i++) {
        CHECK(cycle(base + 16 * i) != cycle(other + 16 * i));
        CHECK(is_in_region(cycle(other + 16 * i)));
        CHECK(cycle(base + 16 * i + 8) != cycle(other + 16 * i + 8));
        CHECK(is_in_odd_region(cycle(other + 16 * i + 8)));
    }
}

/* The heap of programs at fixed addresses. */
static void low(void)
{
    for (intptr_t pointer = 0x400000; pointer < 8 * GIB; pointer = pointer * 2 + 16)
        CHECK(is_in_region(cycle(pointer)));
    CHECK(is_in_region(cycle(16)) && cycle(16) != cycle(32));
}

static intptr_t far_region(int number)
{
    return 0x7000 * GIB + 3 * number * REGION + 4096;
}

/* Odd ones first: those that have a region are as many as there are, and take nothing from others. */
static void many_odd_regions(void)
{
    enum { MORE = COMPRESS_ODD_REGIONS + 50 };
    int32_t handles[MORE];
    int in_regions = 0;
    for (int i = 0; i < MORE; i++)
        handles[i] = cycle(far_region(i) + 8);
    for (int i = 0; i < MORE; i++) {
        in_regions += is_in_odd_region(handles[i]);
        CHECK(expand(handles[i]) == far_region(i) + 8 && cycle(far_region(i) + 24) != handles[i]);
    }
    CHECK(in_regions > COMPRESS_ODD_REGIONS - 50 && in_regions < COMPRESS_ODD_REGIONS);
    CHECK(is_in_odd_region(cycle(0x5555 * GIB + 40)));
}

static void many_regions(void)
{
    enum { MORE = COMPRESS_REGIONS + 50 };
    static int32_t handles[MORE];
    int in_regions = 0;
    for (int i = 0; i < MORE; i++)
        handles[i] = cycle(far_region(i));
    for (int i = 0; i < MORE; i++) {
        in_regions += is_in_region(handles[i]);
        CHECK(expand(handles[i]) == far_region(i));
        CHECK(cycle(far_region(i) + 16) != handles[i]);
    }
    CHECK(in_regions > COMPRESS_REGIONS - 50 && in_regions < COMPRESS_REGIONS);
    /* And those that had one keep it. */
    CHECK(is_in_region(cycle(0x5555 * GIB + 32)));
}

/* Objects that have the handles of predefined ones, here at both ends of a region and in the midst of it. */
static void predefined(void)
{
    const intptr_t null = 0x6001 * GIB + 5 * MIB, self = null + 4096, end = 0x6102 * GIB + REGION - 16;
    compress_predefined(null, 0x2c000000);
    expand_predefined(self, 0x44000001);
    compress_predefined(end, 0x2d000000);
    CHECK(compress_pointer(null, 0) == 0x2c000000 && expand(0x2c000000) == null);
    CHECK(expand_handle(0x44000001, 1) == self && leads_nowhere(0x44000001) && leads_nowhere(0x44000000));
    CHECK(compress_pointer(end, 0) == 0x2d000000 && expand(0x2d000000) == end);
    for (intptr_t pointer = 0x6001 * GIB; pointer < 0x6001 * GIB + REGION; pointer += 4096) {
        int32_t handle = compress_pointer(pointer, 0);
        CHECK(expand(handle) == pointer && handle >= 0x2bf00000 && handle <= 0x2c0fffff);
    }
    CHECK(expand(compress_pointer(0x6102 * GIB, 0)) == 0x6102 * GIB);
    /* Handles that are given away stay in place, and an address without a whole unit gets none. */
    compress_predefined(null + 16, 0x2e000000);
    compress_predefined(0x6203 * GIB, 0x2c000010);
    compress_predefined(0x6304 * GIB + 8, 0x2f000000);
    expand_predefined(0x6203 * GIB, 0x44000002);
    CHECK(leads_nowhere(0x2e000000) && leads_nowhere(0x2f000000) && expand_handle(0x44000001, 1) == self);
    CHECK(is_in_region(cycle(0x6203 * GIB)) && is_in_region(cycle(0x6304 * GIB)));
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
    return handle >= COMPRESS_INTEGERS && handle < COMPRESS_ODD_FIRST;
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
    /* The 9th range has single numbers. */
    for (uint32_t i = 0; i < 16; i++) {
        intptr_t pointer = (int32_t)(0x40000000u + (i << 26) + 5);
        CHECK(is_of_range(disguised(pointer, 3)) == (i < COMPRESS_RANGES));
    }
    for (uint32_t i = 0; i < 16; i++) {
        intptr_t pointer = (int32_t)(0x40000000u + (i << 26) + 6);
        uint32_t handle = disguised(pointer, 3);
        CHECK(is_of_range(handle) == (i < COMPRESS_RANGES) && !is_in_region((int32_t)handle));
    }
    /* Those that could be addresses: above zero they have a region then, and need no lock the second time. */
    for (uint32_t i = 0; i < 32; i++) {
        intptr_t pointer = (int32_t)(0x40000000u + ((i & 15) << 26) + 8 + 16 * (i >> 4));
        uint32_t handle = (uint32_t)compress_pointer(pointer, 3);
        CHECK(is_of_range(handle) == ((i & 15) < COMPRESS_RANGES));
        CHECK(is_in_odd_region((int32_t)handle) == ((i & 15) >= COMPRESS_RANGES && pointer > 0));
        long before = locks;
        CHECK((uint32_t)compress_pointer(pointer, 3) == handle);
        CHECK(locks == before || pointer < 0);
        intptr_t expanded = expand_handle((int32_t)handle, 0);
        CHECK((is_pointer(expanded) ? expanded : expand_slow((int32_t)handle, 3)) == pointer);
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

/* Objects of both kinds, of which nobody but the first of a region needs the lock, and misaligned ones, which need it. */
static void without_a_lock(void)
{
    const intptr_t base = 0x5555 * GIB;
    compress_pointer(base, 0), compress_pointer(base + 8, 0);
    long before = locks;
    for (intptr_t pointer = base; pointer < base + REGION; pointer += 8 * 1021) {
        int32_t handle = compress_pointer(pointer, 0);
        CHECK(is_pointer(expand_handle(handle, 0)) && expand_handle(handle, 0) == pointer);
        CHECK((pointer & 8 ? is_in_odd_region : is_in_region)(handle));
    }
    CHECK(locks == before);
    CHECK(!is_in_region(compress_pointer(base + 4, 0)) && locks == before + 1);
}

static pthread_barrier_t together;
enum { CLASSES = 16 };
static int32_t of_thread[8][40][100], of_thread_too[8][CLASSES][COMPRESS_RANGES][100];

static void *registers(void *argument)
{
    int thread = (int)(intptr_t)argument;
    pthread_barrier_wait(&together);
    for (int i = 0; i < 100; i++)
        for (int region = 0; region < 40; region++) {
            int turn = (region + thread * 5) % 40;
            intptr_t pointer = (0x3000 + 7 * turn) * GIB + 16 * i + 8 * (turn & 1);
            of_thread[thread][turn][i] = compress_pointer(pointer, 0);
            CHECK(expand(of_thread[thread][turn][i]) == pointer);
        }
    for (int class = 0; class < CLASSES; class++) {
        for (int range = 0; range < COMPRESS_RANGES; range++) {
            int is_last = range == COMPRESS_RANGES - 1, turn = is_last ? range : (range + thread * 5) % (COMPRESS_RANGES - 1);
            if (is_last) {
                /* One thread after the other meets the class's last range. */
                pthread_barrier_wait(&together);
                for (int i = 0; i < 2000 * thread; i++)
                    disguised((int32_t)0x80000000u, class);
            }
            for (int i = 0; i < 100; i++)
                of_thread_too[thread][class][turn][i] = (int32_t)disguised((int32_t)(0x80000000u + (turn << 26) + i), class);
        }
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
    for (int class = 0; class < CLASSES; class++)
        for (int range = 0; range < COMPRESS_RANGES; range++)
            CHECK(is_of_range((uint32_t)of_thread_too[0][class][range][0]));
    for (int region = 0; region < 40; region++)
        CHECK((region & 1 ? is_in_odd_region : is_in_region)(of_thread[0][region][0]));
}

int main(int argc, char **argv)
{
    compress_prepare();
    if (argc > 1 && strcmp(argv[1], "threads") == 0) {
        threads();
    } else {
        predefined();
        one_region();
        shared_places();
        low();
            without_a_lock();
        integers();
        many_integers();
        many_odd_regions();
        many_regions();
        recycled();
    }
    puts("right");
    return 0;
}
