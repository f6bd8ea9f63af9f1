// SPDX-License-Identifier: BSD-3-Clause
// Dies in the way that its argument says, after some calls of MPI. The text in `secret` is its data.
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char secret[] = "a secret of the program";

static void own_handler(int number)
{
    (void)number;
    if (write(1, "own handler\n", 12) == 12)
        _exit(7);
}

static int deeper(volatile char *from, int depth)
{
    volatile char much[4096];
    much[0] = *from;
    return depth < 0 ? 0 : deeper(much, depth + 1) + much[0];
}

static void *crash(void *unused)
{
    (void)unused;
    *(volatile int *)8 = 1;
    return 0;
}

// In the middle of a call of the host's.
static void reduction(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)count, (void)type;
    crash(0);
}

static void work(void)
{
    char received[sizeof secret];
    MPI_Comm copy;
    for (int i = 0; i < 100; i++)
        MPI_Sendrecv(secret, sizeof secret, MPI_CHAR, 0, 77, received, sizeof received, MPI_CHAR, 0, 77, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_set_name(copy, secret);
    MPI_Comm_free(&copy);
}

static void at_end(void)
{
    puts("exit handlers ran");
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    volatile int zero = 0;
    pthread_t thread;
    MPI_Op op;
    int one = 1, sum;
    if (!strcmp(how, "error"))
        atexit(at_end);
    if (!strcmp(how, "own-first"))
        signal(SIGSEGV, own_handler);
    MPI_Init(&argc, &argv);
    work();
    if (!strcmp(how, "own"))
        signal(SIGSEGV, own_handler);
    if (!strcmp(how, "ignored"))
        signal(SIGABRT, SIG_IGN);
    if (!strcmp(how, "segv") || !strncmp(how, "own", 3))
        crash(0);
    if (!strcmp(how, "thread") && pthread_create(&thread, 0, crash, 0) == 0)
        pthread_join(thread, 0);
    if (!strcmp(how, "two") && pthread_create(&thread, 0, crash, 0) == 0) {
        sleep(1);
        abort();
    }
    if (!strcmp(how, "callback")) {
        MPI_Op_create(reduction, 1, &op);
        MPI_Reduce_local(&one, &sum, 1, MPI_INT, op);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_SELF);
    }
    if (!strcmp(how, "divide"))
        zero = 7 / zero;
    if (!strcmp(how, "abort") || !strcmp(how, "ignored"))
        abort();
    if (!strcmp(how, "sent"))
        kill(getpid(), SIGSEGV);
    if (!strcmp(how, "term"))
        kill(getpid(), SIGTERM);
    if (!strcmp(how, "overrun"))
        return deeper(secret, one);
    if (!strcmp(how, "MPI_Abort"))
        MPI_Abort(MPI_COMM_WORLD, 5);
    if (!strcmp(how, "exit"))
        exit(3);
    if (!strcmp(how, "error"))
        MPI_Send(secret, 1, MPI_CHAR, 99, 0, MPI_COMM_WORLD);
#ifdef MPICH_VERSION
    if (!strcmp(how, "refused") || !strcmp(how, "refused-abort"))
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (!strncmp(how, "refused", 7))
        MPIX_Comm_agree(MPI_COMM_SELF, &one);
    if (!strcmp(how, "refused-abort"))
        abort();
#endif
    if (!strcmp(how, "forked") && fork() == 0)
        crash(0);
    MPI_Finalize();
    puts("ended well");
    return 0;
}
