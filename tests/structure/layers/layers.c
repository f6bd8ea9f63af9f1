/* SPDX-License-Identifier: BSD-3-Clause */
/* Layers on their own: each lies at its place whichever came first, and calls go on while others come and go. */
#include "layers/layers.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition) ((condition) ? (void)0 : (void)(printf("line %d: %s\n", __LINE__, #condition), failures++))
static int failures;

struct host_procedures host;

/* A call returns the digits of those that it passed, the host's last. */
static int host_a(int number) { return 10 * number + 1; }
static int host_b(int number) { return 10 * number + 2; }
static int stand_in_c(int number) { return 10 * number + 3; }

#define BOTH(each) each(MPI_A) each(MPI_B)
#define DEFINE_LAYER(part, digit)                                                                  \
    LAYER_PART(part, BOTH);                                                                        \
    static int part##_MPI_A(int number) { return NEXT(part, MPI_A)(10 * number + digit); }         \
    static int part##_MPI_B(int number) { return NEXT(part, MPI_B)(10 * number + digit); }
DEFINE_LAYER(tool, 4)
DEFINE_LAYER(workaround, 5)
DEFINE_LAYER(trace, 6)
DEFINE_LAYER(life, 7)
DEFINE_LAYER(world, 8)

#define ONE(each) each(MPI_B)
LAYER_PART(more_life, ONE);
static int more_life_MPI_B(int number) { return NEXT(more_life, MPI_B)(10 * number + 9); }

static int says(int procedure, const char *expected)
{
    char text[64];
    layer_describe(procedure, text, sizeof text);
    if (strcmp(text, expected) != 0)
        printf("%s, not %s\n", text, expected);
    return strcmp(text, expected) == 0;
}

static void check_order(void)
{
    CHECK(host.MPI_A == host_a && host.MPI_A(0) == 1);
    LAYER_INSTALL(LAYER_LIFE, life, OVERRIDE(life, MPI_A, life_MPI_A));
    LAYER_INSTALL(LAYER_TRACE, trace, OVERRIDE(trace, MPI_A, trace_MPI_A), OVERRIDE(trace, MPI_B, trace_MPI_B));
    LAYER_INSTALL(LAYER_WORLD, world, OVERRIDE(world, MPI_A, world_MPI_A), OVERRIDE(world, MPI_B, world_MPI_B));
    LAYER_INSTALL(LAYER_HOST_TOOL, tool, OVERRIDE(tool, MPI_A, tool_MPI_A));
    LAYER_INSTALL(LAYER_WORKAROUND, workaround, OVERRIDE(workaround, MPI_A, workaround_MPI_A));
    CHECK(host.MPI_A(0) == 876541);
    CHECK(host.MPI_B(0) == 862);
    /* A second file's part, and an override that is there already. */
    LAYER_INSTALL(LAYER_LIFE, more_life, OVERRIDE(more_life, MPI_B, more_life_MPI_B));
    LAYER_INSTALL(LAYER_LIFE, life, OVERRIDE(life, MPI_A, life_MPI_A), OVERRIDE(life, MPI_B, life_MPI_B));
    CHECK(host.MPI_A(0) == 876541);
    CHECK(host.MPI_B(0) == 8962);
    CHECK(WITHIN(LAYER_TRACE, MPI_A)(0) == 541);
    CHECK(WITHIN(LAYER_TRACE, MPI_B)(0) == 2);
    CHECK(WITHIN(LAYER_LIFE, MPI_B)(0) == 62);
    CHECK(host.MPI_C == stand_in_c && HOST_LACKS(MPI_C) && !HOST_LACKS(MPI_A));
    CHECK(says(PROCEDURE_NUMBER(MPI_A), "world, life, trace, workaround, tool, host"));
    CHECK(says(PROCEDURE_NUMBER(MPI_C), "stand-in"));
}

static void check_removal(void)
{
    int (*in_flight)(int) = host.MPI_A;
    layer_remove(LAYER_WORLD, &world.head);
    CHECK(in_flight(0) == 876541);
    layer_remove(LAYER_TRACE, &trace.head);
    CHECK(host.MPI_A(0) == 7541);
    CHECK(host.MPI_B(0) == 92);
    LAYER_INSTALL(LAYER_TRACE, trace, OVERRIDE(trace, MPI_B, trace_MPI_B));
    CHECK(host.MPI_B(0) == 962);
}

/* ---- while others call ---- */

static int done;

static void *call(void *arguments)
{
    long wrong = 0;
    while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
        int (*procedure)(int) = __atomic_load_n(&host.MPI_A, __ATOMIC_ACQUIRE);
        wrong += procedure(0) % 10 != 1;
    }
    return (void *)wrong;
}

static void *change(void *arguments)
{
    for (int i = 0; i < 20000; i++) {
        LAYER_INSTALL(LAYER_TRACE, trace, OVERRIDE(trace, MPI_A, trace_MPI_A));
        layer_remove(LAYER_TRACE, &trace.head);
    }
    return 0;
}

static void *change_outer(void *arguments)
{
    for (int i = 0; i < 20000; i++) {
        LAYER_INSTALL(LAYER_WORLD, world, OVERRIDE(world, MPI_A, world_MPI_A));
        layer_remove(LAYER_WORLD, &world.head);
    }
    return 0;
}

static void check_threads(void)
{
    pthread_t caller, changers[2];
    void *wrong;
    pthread_create(&caller, 0, call, 0);
    pthread_create(&changers[0], 0, change, 0);
    pthread_create(&changers[1], 0, change_outer, 0);
    pthread_join(changers[0], 0);
    pthread_join(changers[1], 0);
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    pthread_join(caller, &wrong);
    CHECK(wrong == 0);
    CHECK(host.MPI_A(0) == 7541);
}

int main(void)
{
    layer_host(PROCEDURE_NUMBER(MPI_A), (mpi_function *)host_a, 0);
    layer_host(PROCEDURE_NUMBER(MPI_B), (mpi_function *)host_b, 0);
    layer_host(PROCEDURE_NUMBER(MPI_C), (mpi_function *)stand_in_c, 1);
    check_order();
    check_removal();
    check_threads();
    if (failures == 0)
        puts("right");
    return failures != 0;
}
