/* SPDX-License-Identifier: BSD-3-Clause */
/* forks LIBRARY N: forks N times, while another thread looks symbols up. Each child opens the library, looks a symbol up and
 * reads the environment. Prints "N children" unless one of them hangs or fails. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends;

static void *look_up(void *name)
{
    void *library = dlopen(name, RTLD_NOW);
    while (!__atomic_load_n(&ends, __ATOMIC_RELAXED)) {
        if (!dlsym(library, "answer") || !dlsym(RTLD_DEFAULT, "MPI_Send"))
            abort();
    }
    return NULL;
}

static void in_child(const char *name)
{
    alarm(60); /* a child that hangs is ended by SIGALRM */
    void *library = dlopen(name, RTLD_NOW);
    _exit(!library || !dlsym(library, "answer") || !getenv("PATH"));
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int status, children = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    if (pthread_create(&thread, NULL, look_up, argv[1]) != 0)
        return 1;
    for (int i = 0; i < children; i++) {
        pid_t child = fork();
        if (child == 0)
            in_child(argv[1]);
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            printf("child %d: %x\n", i, status);
            return 1;
        }
    }
    __atomic_store_n(&ends, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    MPI_Finalize();
    printf("%d children\n", children);
    return 0;
}
