/* SPDX-License-Identifier: BSD-3-Clause */
/* What a request retains is freed once, when the request is released, from whatever thread. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "keep/retained_array.h"
#include "require.h"

#define THREADS 8
#define REQUESTS 100 /* of each thread */
#define ROUNDS 200

/* Stand for arrays; how often each was freed. */
static struct array {
    int freed;
} arrays[THREADS * REQUESTS + 4];

/* What retain.c calls for free(). */
void counted_free(void *memory)
{
    struct array *array = memory;
    if (array >= arrays && array < arrays + sizeof arrays / sizeof *arrays)
        __atomic_add_fetch(&array->freed, 1, __ATOMIC_RELAXED);
    else
        free(memory);
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
            retain(&request, &arrays[i]);
        }
        for (int i = first + REQUESTS - 1; i >= first; i--) {
            CHECK(arrays[i].freed == round);
            release_one(nth_request(i), retain_mark());
            CHECK(arrays[i].freed == round + 1);
            release_one(nth_request(i), retain_mark());
            CHECK(arrays[i].freed == round + 1);
        }
    }
    return 0;
}

int main(void)
{
    struct array *rest = arrays + THREADS * REQUESTS;
    host_request request = nth_request(THREADS * REQUESTS);
    pthread_t thread[THREADS];
    int before = special_requests;

    retain(0, &rest[0]);
    CHECK(rest[0].freed == 1 && special_requests == before);
    retain(&request, 0);
    CHECK(special_requests == before);
    /* One handle for two operations. */
    retain(&request, &rest[1]);
    retain(&request, &rest[2]);
    CHECK(special_requests == before + 2 && rest[1].freed == 0);

    pthread_barrier_init(&barrier, 0, THREADS);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&thread[i], 0, use, (void *)(intptr_t)i) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], 0);
    CHECK(special_requests == before + 2 && rest[1].freed == 0);
    /* The handle again, for an operation that began after the others were completed. */
    uint64_t mark = retain_mark();
    retain(&request, &rest[3]);
    release_one(request, mark);
    CHECK(special_requests == before + 1 && rest[3].freed == 0);
    release_one(request, retain_mark());
    CHECK(rest[3].freed == 1);
    CHECK(special_requests == before && rest[1].freed == 1 && rest[2].freed == 1);
    puts("right");
    return 0;
}
