/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses what needs layers of the adapter's, as far as the application's MPI has it. */
#include <mpi.h>
#include <stdio.h>

#ifdef COUNTED /* MPICH's */
static void nothing(void *state) {}
static void handle(MPI_Comm comm, int code, void *state) {}
int MPIX_Comm_create_errhandler_x(void (*handler)(MPI_Comm, int, void *), void (*destroy)(void *), void *state,
                                  MPI_Errhandler *errhandler);

static void make_stateful(void)
{
    MPI_Errhandler errhandler;
    MPIX_Comm_create_errhandler_x(handle, nothing, 0, &errhandler);
    MPI_Errhandler_free(&errhandler);
}
#else
static void make_stateful(void) {}
#endif

static void send_in_parts(void)
{
    MPI_Request requests[2];
    int sent = 1, received = 0;
    MPI_Psend_init(&sent, 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(&received, 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Pready(0, requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

int main(int argc, char **argv)
{
    MPI_Session session;
    void *buffer;
    int size;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Init(&argc, &argv);
    MPI_Comm_attach_buffer(MPI_COMM_SELF, MPI_BUFFER_AUTOMATIC, 0);
    send_in_parts();
    make_stateful();
    MPI_Comm_detach_buffer(MPI_COMM_SELF, &buffer, &size);
    MPI_Session_finalize(&session);
    MPI_Finalize();
    puts("done");
    return 0;
}
