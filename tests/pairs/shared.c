/* SPDX-License-Identifier: BSD-3-Clause */
/* A text that several threads read while another one replaces it is the old one or the new one: the string of an error
 * class, and names of objects. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { READERS = 3, ROUNDS = 400000, LENGTHS = 3 };
static int error_class, done, wrong;
static const int lengths[LENGTHS] = { 60, 100, 7 };
static char texts[LENGTHS][MPI_MAX_ERROR_STRING];

/* One of the texts, as far as there is room for names. */
static void check(const char *found, int length)
{
    if (length > 0 && strspn(found, "abc") == (size_t)length && found[length] == 0)
        for (int i = 0; i < LENGTHS; i++)
            if (strncmp(found, texts[i], (size_t)length) == 0 &&
                (length == lengths[i] || (length < lengths[i] && length == MPI_MAX_OBJECT_NAME - 1)))
                return;
    __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
}

static void *read_all(void *unused)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
        MPI_Error_string(error_class, text, &length);
        check(text, length);
        MPI_Comm_get_name(MPI_COMM_SELF, text, &length);
        check(text, length);
        MPI_Type_get_name(MPI_INT, text, &length);
        check(text, length);
    }
    return 0;
}

static void write_all(int round)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    const char *text = texts[round % LENGTHS];
    MPI_Add_error_string(error_class, text);
    strncat(name, text, sizeof name - 1);
    MPI_Comm_set_name(MPI_COMM_SELF, name);
    MPI_Type_set_name(MPI_INT, name);
}

int main(int argc, char **argv)
{
    pthread_t threads[READERS];
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int i = 0; i < LENGTHS; i++)
        memset(texts[i], "abc"[i], (size_t)lengths[i]);
    MPI_Add_error_class(&error_class);
    write_all(0);
    for (int i = 0; i < READERS; i++)
        pthread_create(&threads[i], 0, read_all, 0);
    for (int round = 0; round < ROUNDS; round++)
        write_all(round);
    __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < READERS; i++)
        pthread_join(threads[i], 0);
    MPI_Finalize();
    printf("%d wrong at level %d\n", wrong, provided == MPI_THREAD_MULTIPLE);
    return 0;
}
