/* SPDX-License-Identifier: BSD-3-Clause */
/* A host may give the handle of a freed object to another thread before the call that frees it returns: what that thread
 * has then is not taken for what was freed. The other thread's calls are made within the host's procedures here. */
#include <stdio.h>

#include "convert/adapter.h"
#include "callbacks/stateful.h"
#include "layers/layers.h"
#include "require.h"

#define ERRHANDLER HOST_ERRHANDLER_FROM(0x6c000007)
#define OTHERS 100 /* so many that the table grows */

static void nothing(void)
{
}

static void count(void *state)
{
    ++*(int *)state;
}

static void publish(int *destroyed, host_errhandler handle)
{
    struct stateful *made = stateful_make(CLASS_ERRHANDLER, nothing, (mpi_function *)count, destroyed);
    CHECK(made != 0);
    stateful_publish(made, HOST_ERRHANDLER_BITS(handle));
}

static int succeed_with_errhandler(host_errhandler *errhandler)
{
    return 0;
}

static void free_errhandler(void)
{
    host_errhandler handle = ERRHANDLER;
    CHECK(host.MPI_Errhandler_free(&handle) == 0);
}

/* ---- a communicator ---- */

static int its_errhandler(host_comm comm, host_errhandler *errhandler)
{
    *errhandler = ERRHANDLER;
    return 0;
}

static int free_and_make_comm(host_comm *comm)
{
    stateful_comm_made(*comm);
    return 0;
}

static void check_comms(void)
{
    int destroyed = 0;
    host_comm comm = HOST_COMM_FROM(0x6c000009);
    publish(&destroyed, ERRHANDLER);
    stateful_comm_made(comm);
    CHECK(host.MPI_Comm_free(&comm) == 0); /* and the same handle is another communicator's */
    free_errhandler();
    CHECK(destroyed == 0);
    CHECK(host.MPI_Comm_disconnect(&comm) == 0);
    CHECK(destroyed == 1);
}

static int succeed_with_comm(host_comm *comm)
{
    return 0;
}

/* ---- an error handler ---- */

static int second_destroyed, others_destroyed;

static int free_and_make_errhandler(host_errhandler *errhandler)
{
    static int calls;
    if (calls++)
        return 0;
    publish(&second_destroyed, ERRHANDLER);
    for (int i = 0; i < OTHERS; i++)
        publish(&others_destroyed, HOST_ERRHANDLER_FROM(0x6c001000 + i));
    free_errhandler();
    return 0;
}

/* Ahead of the host, and within the layer that counts, which is there already. */
#define OURS(each) each(MPI_Errhandler_free)
LAYER_PART(inner, OURS);

static void check_errhandlers(void)
{
    int destroyed = 0;
    publish(&destroyed, ERRHANDLER);
    LAYER_INSTALL(LAYER_TRACE, inner, OVERRIDE(inner, MPI_Errhandler_free, free_and_make_errhandler));
    free_errhandler();
    CHECK(destroyed == 1);
    CHECK(second_destroyed == 1);
    CHECK(others_destroyed == 0);
}

int main(void)
{
    host.MPI_Errhandler_free = succeed_with_errhandler;
    host.MPI_Comm_get_errhandler = its_errhandler;
    host.MPI_Comm_free = free_and_make_comm;
    host.MPI_Comm_disconnect = succeed_with_comm;
    check_comms();
    check_errhandlers();
    puts("right");
    return 0;
}
