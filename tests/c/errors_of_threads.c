/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 */
/* libs: -pthread */
/* Each error reaches the handler that the program has set for its communicator, whatever other threads call meanwhile:
 * MPI_Comm_spawn with an info, calls about no object, and calls that replace handlers. */
#include "check.h"
#include <pthread.h>

enum { ERRORS = 20000, SPAWNS = 2000, SPAWNERS = 2, FAILING = 2000, SWAPS = 20000 };

/* How often each handler was called. */
static int on_self, on_world, on_own, on_other;
static int wrong;

static void count_self(MPI_Comm *comm, int *code, ...)
{
    (void)code;
    __atomic_add_fetch(*comm == MPI_COMM_SELF ? &on_self : &wrong, 1, __ATOMIC_RELAXED);
}

/* One of these two handlers is called for errors of calls about no object, too. */
static void count_world(MPI_Comm *comm, int *code, ...)
{
    (void)code;
    __atomic_add_fetch(*comm == MPI_COMM_WORLD ? &on_world : &wrong, 1, __ATOMIC_RELAXED);
}

static void count_own(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    __atomic_add_fetch(&on_own, 1, __ATOMIC_RELAXED);
}

static void count_other(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    __atomic_add_fetch(&on_other, 1, __ATOMIC_RELAXED);
}

static void check(int is_right)
{
    if (!is_right)
        __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
}

/* A message to a process that is not there. */
static void *err(void *comm)
{
    int value = 0;
    for (int i = 0; i < ERRORS; i++)
        check(MPI_Send(&value, 1, MPI_INT, 7, 0, *(MPI_Comm *)comm) != MPI_SUCCESS);
    return NULL;
}

/* No process is started: less than none is asked for. */
static void *spawn(void *comm)
{
    char *programs[2] = { "none", "none" };
    int counts[2] = { -1, -1 };
    MPI_Comm children;
    MPI_Info infos[2];
    for (int i = 0; i < SPAWNS; i++) {
        check(MPI_Info_create(&infos[0]) == MPI_SUCCESS);
        check(MPI_Info_set(infos[0], "wdir", "/") == MPI_SUCCESS);
        infos[1] = infos[0];
        check(MPI_Comm_spawn("none", MPI_ARGV_NULL, -1, infos[0], 0, *(MPI_Comm *)comm, &children, MPI_ERRCODES_IGNORE) != MPI_SUCCESS);
        check(MPI_Comm_spawn_multiple(2, programs, MPI_ARGVS_NULL, counts, infos, 0, *(MPI_Comm *)comm, &children,
                                      MPI_ERRCODES_IGNORE) != MPI_SUCCESS);
        check(MPI_Info_free(&infos[0]) == MPI_SUCCESS);
    }
    return NULL;
}

/* A keyval needs a place. */
static int fail_once(void)
{
    return MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, NULL, NULL);
}

static void *fail(void *unused)
{
    for (int i = 0; i < FAILING; i++)
        check(fail_once() != MPI_SUCCESS);
    return unused;
}

/* Makes, sets and frees handlers of a communicator on which another thread makes errors: one of two is called. */
static void *swap(void *comm)
{
    MPI_Errhandler made, found;
    for (int i = 0; i < SWAPS; i++) {
        check(MPI_Comm_create_errhandler(i % 2 ? count_own : count_other, &made) == MPI_SUCCESS);
        check(MPI_Comm_set_errhandler(*(MPI_Comm *)comm, made) == MPI_SUCCESS);
        check(MPI_Comm_get_errhandler(*(MPI_Comm *)comm, &found) == MPI_SUCCESS && found == made);
        check(MPI_Errhandler_free(&found) == MPI_SUCCESS);
        check(MPI_Errhandler_free(&made) == MPI_SUCCESS && made == MPI_ERRHANDLER_NULL);
    }
    return NULL;
}

/* Sets a handler of ours, which stays when its handle is freed. */
static void set(MPI_Comm comm, MPI_Comm_errhandler_function *function)
{
    MPI_Errhandler made;
    OK(MPI_Comm_create_errhandler(function, &made));
    OK(MPI_Comm_set_errhandler(comm, made));
    OK(MPI_Errhandler_free(&made));
}

/* Whom this host blames, it always has. */
static void check_failing(void)
{
    int before_self = on_self, before_world = on_world;
    CHECK(fail_once() != MPI_SUCCESS);
    int self = on_self - before_self, world = on_world - before_world;
    CHECK_INT(self + world, 1);
    CHECK_INT(before_self, ERRORS + self * FAILING);
    CHECK_INT(before_world, ERRORS + world * FAILING);
}

int main(int argc, char **argv)
{
    enum { ERRING = 3, THREADS = ERRING + SPAWNERS + 2 };
    pthread_t threads[THREADS];
    MPI_Comm world = MPI_COMM_WORLD, self = MPI_COMM_SELF, own, of_spawner[SPAWNERS];
    int provided, count = 0;
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    check_identify();
    if (provided < MPI_THREAD_MULTIPLE)
        return check_end();
    OK(MPI_Comm_dup(self, &own));
    for (int i = 0; i < SPAWNERS; i++) {
        OK(MPI_Comm_dup(self, &of_spawner[i]));
        OK(MPI_Comm_set_errhandler(of_spawner[i], MPI_ERRORS_RETURN));
    }
    set(self, count_self);
    set(world, count_world);
    set(own, count_own);
    pthread_create(&threads[count++], NULL, err, &self);
    pthread_create(&threads[count++], NULL, err, &world);
    pthread_create(&threads[count++], NULL, err, &own);
    pthread_create(&threads[count++], NULL, swap, &own);
    pthread_create(&threads[count++], NULL, fail, NULL);
    for (int i = 0; i < SPAWNERS; i++)
        pthread_create(&threads[count++], NULL, spawn, &of_spawner[i]);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    CHECK_INT(wrong, 0);
    check_failing();
    if (count == THREADS)
        CHECK_INT(on_own + on_other, ERRORS);
    for (int i = 0; i < SPAWNERS; i++)
        OK(MPI_Comm_free(&of_spawner[i]));
    OK(MPI_Comm_free(&own));
    return check_end();
}
