/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight threads add error codes, as many as the host has room for: says how many codes two of them were given. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 8, EACH = 10000 };

static int codes[THREADS * EACH];

static void *add_codes(void *first)
{
    int *code = first;
    while (code < (int *)first + EACH && MPI_Add_error_code(MPI_ERR_OTHER, code) == MPI_SUCCESS)
        code++;
    while (code < (int *)first + EACH)
        *code++ = 0;
    return 0;
}

static int compare(const void *one, const void *other)
{
    int a = *(const int *)one, b = *(const int *)other;
    return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int provided, twice = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, add_codes, codes + i * EACH);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    qsort(codes, THREADS * EACH, sizeof *codes, compare);
    for (int i = 1; i < THREADS * EACH; i++)
        twice += codes[i] != 0 && codes[i] == codes[i - 1];
    printf("%d twice\n", twice);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
