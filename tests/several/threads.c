/* SPDX-License-Identifier: BSD-3-Clause */
/* Two parts, each in a thread of its own at the same time, while the process forks. Usage: threads LIBRARY early|late COPY. The library's thread
 * opens it after MPI_Init if late. A child opens COPY, another file of it. Prints what is wrong. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "part.h"

const struct part *program_part(void);

static pthread_barrier_t together;
static int wrong;

static const struct part *open_part(const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct part *(*find)(void) = handle ? (const struct part *(*)(void))dlsym(handle, "library_part") : 0;
    if (!find) {
        puts(dlerror());
        exit(1);
    }
    return find();
}

struct thread {
    pthread_t id;
    const char *opens;
    const struct part *part;
    int comm;
};

static void *work(void *argument)
{
    struct thread *thread = argument;
    const char *failure;
    pthread_barrier_wait(&together);
    if (!thread->part)
        thread->part = open_part(thread->opens);
    failure = thread->part->work_in_thread(thread->comm);
    if (failure) {
        printf("the %s: %s\n", thread->opens ? "library" : "program", failure);
        __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
    }
    return 0;
}

/* A child may load another part, and end, while threads of the parent are in MPI. */
static void have_child(const char *opens)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0)
        _exit(opens && !open_part(opens));
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        printf("a child: status %d\n", status), wrong++;
}

int main(int argc, char **argv)
{
    const struct part *program = program_part();
    struct thread threads[2] = { { .part = program }, { .opens = argv[1], .part = strcmp(argv[2], "early") == 0 ? open_part(argv[1]) : 0 } };
    setvbuf(stdout, 0, _IOLBF, 0);
    pthread_barrier_init(&together, 0, 3);
    have_child(argv[3]);
    program->begin_threads();
    for (int i = 0; i < 2; i++) {
        threads[i].comm = program->give(COMM_OF_WORLD);
        pthread_create(&threads[i].id, 0, work, &threads[i]);
    }
    pthread_barrier_wait(&together);
    have_child(0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i].id, 0);
    have_child(argv[3]);
    if (program->threads_are_multiple() != 1 || threads[1].part->threads_are_multiple() != 1)
        puts("the level of threads is another one for a part"), wrong++;
    program->end();
    have_child(0);
    puts(wrong ? "wrong" : "right");
    return 0;
}
