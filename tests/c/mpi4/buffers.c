/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* families: openmpi mpiabi */
/* Buffers of communicators and of the process, which may grow by themselves, and flushing that does not wait: MPI-4.1,
 * which the mpi.h of MPICH 4.0 does not have. */
#include "check.h"

enum { LARGE = 1 << 20 };
static char large[LARGE], received[LARGE];

static int peer(void) { return 1 - check_rank; }

/* As much as many messages of one integer take. */
static int room(int messages, MPI_Comm comm)
{
    int size = 0;
    OK(MPI_Pack_size(1, MPI_INT, comm, &size));
    return messages * (size + MPI_BSEND_OVERHEAD);
}

static void receive(int from, int to, MPI_Comm comm)
{
    for (int i = from; i < to; i++) {
        int value = -1;
        MPI_Status status;
        OK(MPI_Recv(&value, 1, MPI_INT, peer(), 5, comm, &status));
        CHECK_INT(value, i);
        CHECK_STATUS(&status, peer(), 5, MPI_INT, 1);
    }
}

static void of_communicator(MPI_Comm comm)
{
    int size = room(4, comm), i, got = 0;
    char *buffer = malloc((size_t)size);
    void *address = NULL;
    MPI_Request request;
    OK(MPI_Comm_attach_buffer(comm, buffer, size));
    CHECK(MPI_Comm_attach_buffer(comm, buffer, size) != MPI_SUCCESS);
    for (i = 0; i < 2; i++)
        OK(MPI_Bsend(&i, 1, MPI_INT, peer(), 5, comm));
    OK(MPI_Ibsend(&i, 1, MPI_INT, peer(), 5, comm, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    i = 3;
    OK(MPI_Bsend_init(&i, 1, MPI_INT, peer(), 5, comm, &request));
    OK(MPI_Start(&request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&request));
    receive(0, 4, comm);
    OK(MPI_Comm_flush_buffer(comm));
    OK(MPI_Bsend(&i, 1, MPI_INT, peer(), 5, comm));
    receive(3, 4, comm);
    OK(MPI_Comm_detach_buffer(comm, &address, &got));
    CHECK(address == buffer);
    CHECK_INT(got, size);
    OK(MPI_Comm_attach_buffer(comm, buffer, size));
    FAILS(MPI_Bsend(large, LARGE, MPI_CHAR, peer(), 5, comm), MPI_ERR_BUFFER);
    OK(MPI_Comm_detach_buffer(comm, &address, &got));
    free(buffer);
}

/* Messages that wait for their receivers do not keep the call that flushes. */
static void flushes(MPI_Comm comm, int of_process)
{
    void *address = NULL;
    int size = -1;
    MPI_Request request;
    if (of_process)
        OK(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
    else
        OK(MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0));
    for (int i = 0; i < 3; i++) {
        memset(large, 'a' + i, LARGE);
        OK(MPI_Bsend(large, LARGE, MPI_CHAR, peer(), 5, comm));
    }
    if (of_process)
        OK(MPI_Buffer_iflush(&request));
    else
        OK(MPI_Comm_iflush_buffer(comm, &request));
    for (int i = 0; i < 3; i++) {
        OK(MPI_Recv(received, LARGE, MPI_CHAR, peer(), 5, comm, MPI_STATUS_IGNORE));
        CHECK(received[0] == 'a' + i && received[LARGE - 1] == 'a' + i);
    }
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (of_process)
        OK(MPI_Buffer_detach(&address, &size));
    else
        OK(MPI_Comm_detach_buffer(comm, &address, &size));
    CHECK(address == MPI_BUFFER_AUTOMATIC);
}

static void of_process(MPI_Comm comm)
{
    int size = room(2, comm), got = 0, i = 0;
    char *buffer = malloc((size_t)size);
    void *address = NULL;
    MPI_Request request;
    OK(MPI_Buffer_attach(buffer, size));
    OK(MPI_Bsend(&i, 1, MPI_INT, peer(), 5, comm));
    OK(MPI_Buffer_iflush(&request));
    receive(0, 1, comm);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Buffer_flush());
    OK(MPI_Buffer_detach(&address, &got));
    CHECK(address == buffer);
    CHECK_INT(got, size);
    free(buffer);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    check_begin(&argc, &argv);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    if (!known_fault("buffers-of-communicators")) {
        of_communicator(comm);
        flushes(comm, 0);
    }
    of_process(comm);
    flushes(comm, 1);
    OK(MPI_Comm_free(&comm));
    return check_end();
}
