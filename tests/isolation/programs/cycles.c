/* SPDX-License-Identifier: BSD-3-Clause */
/* cycles THREADS TIMES PLUGIN...: threads load a plugin of the program's, call it and unload it, again and
 * again, each its own plugin. Each plugin looks for a symbol itself, and asks MPI for its rank. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int times;

static void *cycle(void *plugin)
{
    for (int i = 0; i < times; i++) {
        void *handle = dlopen(plugin, RTLD_LAZY | RTLD_LOCAL);
        int (*run)(void) = handle ? (int (*)(void))dlsym(handle, "cycle_run") : 0;
        if (!run || run() != 0) {
            printf("wrong: %s\n", run ? "the plugin's answer" : dlerror());
            exit(1);
        }
        dlclose(handle);
    }
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t thread[16];
    int provided, threads = atoi(argv[1]);
    times = atoi(argv[2]);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], 0, cycle, argv[3 + i]);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], 0);
    MPI_Finalize();
    puts("right");
    return 0;
}
