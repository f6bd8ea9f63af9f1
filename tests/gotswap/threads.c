/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Eight threads swap and restore at the same time, each its own symbol.
 * Arguments: one library for all threads or eight, one for each.
 */
#include "check.h"

#include <dlfcn.h>
#include <pthread.h>

enum { THREADS = 8, ROUNDS = 150 };

struct job {
    char own[16];
    char call[16];
    const char *library;
    int (*function)(void);
};

static int two(void)
{
    return 2;
}

static void *work(void *argument)
{
    struct job *job = argument;
    for (int i = 0; i < ROUNDS; i++) {
        gotswap_object *object = NULL;
        CHECK(gotswap_open(&object, job->library) == GOTSWAP_OK);
        CHECK(gotswap_replace(object, job->own, (void *)two, NULL) == GOTSWAP_OK);
        CHECK(job->function() == 2);
        CHECK(gotswap_restore(object) == GOTSWAP_OK);
        CHECK(job->function() == 1);
        CHECK(gotswap_replace(object, "missing", (void *)two, NULL) == GOTSWAP_ENOSYM);
        CHECK(gotswap_close(object) == GOTSWAP_OK);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static struct job jobs[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        struct job *job = &jobs[i];
        job->library = argv[argc == 2 ? 1 : 1 + i];
        void *handle = dlopen(job->library, RTLD_NOW | RTLD_LOCAL);
        CHECK(handle);
        snprintf(job->own, sizeof job->own, "own_%d", i);
        snprintf(job->call, sizeof job->call, "call_%d", i);
        job->function = (int (*)(void))dlsym(handle, job->call);
        CHECK(job->function && job->function() == 1);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, work, &jobs[i]) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    return 0;
}
