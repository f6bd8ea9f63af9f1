/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Finalize while a session is open ends the world model, and not MPI: what the session has stays. Says what happened. */
#include <mpi.h>
#include <stdio.h>

static void handle(MPI_Session session, int code, void *state) { printf("handled %s\n", (const char *)state); }
static void destroy(void *state) { printf("destroyed %s\n", (const char *)state); }
int MPIX_Session_create_errhandler_x(void (*handler)(MPI_Session, int, void *), void (*destroy)(void *), void *state,
                                     MPI_Errhandler *errhandler);

int main(int argc, char **argv)
{
    MPI_Session session;
    MPI_Errhandler errhandler;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Init(&argc, &argv);
    MPIX_Session_create_errhandler_x(handle, destroy, "the session's", &errhandler);
    MPI_Session_set_errhandler(session, errhandler);
    MPI_Errhandler_free(&errhandler);
    MPI_Finalize();
    puts("finalized");
    MPI_Session_call_errhandler(session, MPI_ERR_OTHER);
    MPI_Session_finalize(&session);
    puts("ended");
    return 0;
}
