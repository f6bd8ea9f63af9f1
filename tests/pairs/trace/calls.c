/* SPDX-License-Identifier: BSD-3-Clause */
/* calls [WHAT]: two ranks make calls of every shape that a trace tells apart, and say so if one does not
 * do its work. WHAT ends them: abort, exit, quit (_exit) and close (all
 * descriptors), when both have made their last call, fork, hang, throw (a jump out of an error handler). */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, size;
static jmp_buf back;

static void sum_elements(void *in, void *inout, int *length, MPI_Datatype *type)
{
    int bytes;
    MPI_Type_size(*type, &bytes);
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void jump(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    longjmp(back, 1);
}

static void *ask(void *result)
{
    for (int i = 0; i < 200; i++)
        MPI_Comm_size(MPI_COMM_WORLD, result);
    return 0;
}

static void messages(void)
{
    int sent = 10 + rank, got = -1, other = 1 - rank;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&sent, 1, MPI_INT, other, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    if (got != 10 + other || statuses[0].MPI_TAG != 7)
        printf("wrong message\n");
    MPI_Sendrecv(&sent, 1, MPI_INT, MPI_PROC_NULL, 1, &got, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void collectives(void)
{
    int counts[2] = { 1, 1 }, places[2] = { 0, 1 }, sent[2] = { 1, 2 }, got[2], sum = 1;
    MPI_Op op;
    MPI_Op_create(sum_elements, 1, &op);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    if (sum != size)
        printf("wrong sum\n");
    MPI_Alltoallv(sent, counts, places, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
}

static void others(const char *file)
{
    char text[MPI_MAX_OBJECT_NAME], own_file[4096], *long_name = memset(calloc(1, 101), 'x', 100);
    int length, blocks[20], places[20];
    double before = MPI_Wtime();
    FILE *time;
    MPI_File handle;
    MPI_Datatype type;
    snprintf(own_file, sizeof own_file, "%s.time.%d", file, rank);
    time = fopen(own_file, "w");
    fprintf(time, "%.9f\n", before);
    fclose(time);
    MPI_Comm_set_name(MPI_COMM_WORLD, "a \"name\"\n");
    MPI_Comm_get_name(MPI_COMM_WORLD, text, &length);
    MPI_Comm_set_name(MPI_COMM_SELF, long_name);
    for (int i = 0; i < 20; i++)
        blocks[i] = 1, places[i] = 2 * i;
    MPI_Type_indexed(20, blocks, places, MPI_DOUBLE, &type);
    MPI_Type_free(&type);
    snprintf(own_file, sizeof own_file, "%s.%d", file, rank);
    MPI_File_open(MPI_COMM_SELF, own_file, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &handle);
    MPI_File_close(&handle);
    MPI_Pcontrol(3, "more", 1.0);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (MPI_Send(&length, 1, MPI_INT, 99, 0, MPI_COMM_WORLD) == MPI_SUCCESS || MPI_Wtime() < before)
        printf("wrong error or time\n");
}

/* Returns when the other rank is here, too; without a call, and without a message that could be lost: a launcher
 * ends the other ranks as soon as one leaves without MPI_Finalize. */
static void meet(const char *file)
{
    char own[4096], others[4096];
    snprintf(own, sizeof own, "%s.met.%d", file, rank);
    snprintf(others, sizeof others, "%s.met.%d", file, 1 - rank);
    close(open(own, O_WRONLY | O_CREAT, 0666));
    while (access(others, F_OK) != 0)
        usleep(1000);
}

/* All but the line to the launcher, which would end the job at once. */
static void close_all(void)
{
    const char *launcher = getenv("PMI_FD");
    for (int fd = 3; fd < 1024; fd++)
        if (!launcher || fd != atoi(launcher))
            close(fd);
    for (int fd = 3; fd < 1024; fd++) /* files of the program's own, under each number */
        if (open("own", O_WRONLY | O_CREAT | O_APPEND, 0666) < 0)
            break;
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[2] : "";
    pthread_t thread;
    int in_thread = 0, provided;
    if (strcmp(what, "throw") == 0) /* no lock is left behind */
        MPI_Init(&argc, &argv);
    else
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    messages();
    collectives();
    others(argv[1]);
    if (strcmp(what, "threads") == 0) {
        pthread_create(&thread, 0, ask, &in_thread);
        ask(&provided);
        pthread_join(thread, 0);
        if (in_thread != size)
            printf("wrong size in a thread\n");
    }
    if (strcmp(what, "throw") == 0) {
        MPI_Errhandler handler;
        MPI_Comm_create_errhandler(jump, &handler);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
        if (setjmp(back) == 0)
            MPI_Send(&rank, 1, MPI_INT, 99, 0, MPI_COMM_SELF);
    }
    if (strcmp(what, "close") == 0) {
        meet(argv[1]);
        close_all();
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        _exit(0);
    }
    if (strcmp(what, "fork") == 0) {
        if (fork() == 0)
            exit(0);
        wait(0);
    }
    if (rank == 0)
        printf("worked\n");
    fflush(stdout);
    if (strcmp(what, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(what, "hang") == 0)
        MPI_Recv(&rank, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(what, "quit") == 0) {
        meet(argv[1]);
        _exit(0);
    }
    MPI_Finalize();
    return 0;
}
