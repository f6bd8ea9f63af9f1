/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 */
/* families: openmpi mpiabi */
/* libs: -lpthread */
/* Threads that attach a buffer to one communicator at the same time: one does, the others are told that there is one. Then
 * they detach it, and one is given it. MPI-4.1. */
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, ROUNDS = 1500 };
static MPI_Comm comm;
static pthread_barrier_t together;
static atomic_int attached, detached, refused, wrong;
static char buffers[THREADS][MPI_BSEND_OVERHEAD + 64];

static void count(int code, atomic_int *done)
{
    if (code == MPI_SUCCESS)
        (*done)++;
    else
        *(check_class(code) == MPI_ERR_BUFFER ? &refused : &wrong) += 1;
}

static void *attach(void *mine)
{
    for (int round = 0; round < ROUNDS; round++) {
        void *address;
        int size;
        pthread_barrier_wait(&together);
        count(MPI_Comm_attach_buffer(comm, mine, (int)sizeof buffers[0]), &attached);
        pthread_barrier_wait(&together);
        count(MPI_Comm_detach_buffer(comm, &address, &size), &detached);
        pthread_barrier_wait(&together);
        if (mine == buffers[0] && (attached != 1 || detached != 1 || refused != 2 * (THREADS - 1)))
            wrong++;
        pthread_barrier_wait(&together);
        if (mine == buffers[0])
            attached = detached = refused = 0;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    check_identify();
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    if (provided == MPI_THREAD_MULTIPLE && !known_fault("buffers-of-threads")) {
        pthread_barrier_init(&together, NULL, THREADS);
        for (int i = 0; i < THREADS; i++)
            pthread_create(&threads[i], NULL, attach, buffers[i]);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        CHECK_INT(wrong, 0);
    }
    OK(MPI_Comm_free(&comm));
    return check_end();
}
