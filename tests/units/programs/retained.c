/* SPDX-License-Identifier: BSD-3-Clause */
/* Retained arrays are freed once, when their request is released, by whatever thread. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "requests/retained_array.h"
#include "require.h"

#define THREADS 8
#define REQUESTS 100 /* of each thread */
#define ROUNDS 200

/* How often each array was freed. It has the address of its count, behind what retaining needs. */
static int freed[THREADS * REQUESTS + 6];
static ptrdiff_t ahead;

/* Stands in for free() in retained_array.c. */
void counted_free(void *memory)
{
    __atomic_add_fetch(*(int **)((char *)memory + ahead), 1, __ATOMIC_RELAXED);
    free(memory);
}

/* An array that joins others. */
static int **made(void **arrays, int which)
{
    int **array = retained_room(arrays, sizeof *array);
    CHECK(array != 0);
    *array = &freed[which];
    return array;
}

/* A call's only array. */
static void *alone(int which)
{
    void *arrays = 0;
    made(&arrays, which);
    return arrays;
}

static host_request nth_request(int i)
{
    return HOST_REQUEST_FROM(0x6c000100 + i);
}

static pthread_barrier_t barrier;

static void *use(void *argument)
{
    int first = (int)(intptr_t)argument * REQUESTS;
    pthread_barrier_wait(&barrier);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = first; i < first + REQUESTS; i++) {
            host_request request = nth_request(i);
            retain_arrays(&request, alone(i));
        }
        for (int i = first + REQUESTS - 1; i >= first; i--) {
            CHECK(freed[i] == round);
            release_retained(nth_request(i), retain_mark());
            CHECK(freed[i] == round + 1);
            release_retained(nth_request(i), retain_mark());
            CHECK(freed[i] == round + 1);
        }
    }
    return 0;
}

int main(void)
{
    const int rest = THREADS * REQUESTS;
    void *both = 0;
    host_request request = nth_request(THREADS * REQUESTS);
    pthread_t thread[THREADS];
    int before = special_requests;

    int **array = made(&both, rest);
    ahead = (char *)array - (char *)both;
    retain_arrays(0, both);
    CHECK(freed[rest] == 1 && special_requests == before);
    retain_arrays(&request, 0);
    CHECK(special_requests == before);
    /* One handle for two operations. */
    retain_arrays(&request, alone(rest + 1));
    retain_arrays(&request, alone(rest + 2));
    CHECK(special_requests == before + 2 && freed[rest + 1] == 0);

    pthread_barrier_init(&barrier, 0, THREADS);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&thread[i], 0, use, (void *)(intptr_t)i) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], 0);
    CHECK(special_requests == before + 2 && freed[rest + 1] == 0);
    /* The handle again, for an operation that began after the others were completed. */
    uint64_t mark = retain_mark();
    retain_arrays(&request, alone(rest + 3));
    release_retained(request, mark);
    CHECK(special_requests == before + 1 && freed[rest + 3] == 0);
    release_retained(request, retain_mark());
    CHECK(freed[rest + 3] == 1);
    CHECK(special_requests == before && freed[rest + 1] == 1 && freed[rest + 2] == 1);
    /* Two arrays of one call. */
    both = 0;
    made(&both, rest + 4);
    made(&both, rest + 5);
    retain_arrays(&request, both);
    CHECK(special_requests == before + 1 && freed[rest + 4] + freed[rest + 5] == 0);
    release_retained(request, retain_mark());
    CHECK(special_requests == before && freed[rest + 4] == 1 && freed[rest + 5] == 1);
    puts("right");
    return 0;
}
