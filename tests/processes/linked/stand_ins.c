/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls procedures that the host may lack. Prints "absent" if it does and everything is as it
 * should be, "provided" if it has them. With an argument, errors stay fatal. */
#include <mpi.h>
#include <stdio.h>

static int handled, handled_class;

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    handled++;
    MPI_Error_class(*code, &handled_class);
}

static int wrong(const char *what)
{
    printf("wrong: %s\n", what);
    return 1;
}

static int check(void)
{
    static char buffer[1 << 16];
    MPI_Group group = (MPI_Group)buffer;
    int number = 12345, class = -1;
    MPI_Request request = MPI_COMM_WORLD == MPI_COMM_NULL ? 0 : (MPI_Request)buffer;
    int rc = MPIX_Comm_get_failed(MPI_COMM_SELF, &group);
    if (rc == MPI_SUCCESS)
        return puts("provided") < 0;
    MPI_Error_class(rc, &class);
    if (class != MPI_ERR_UNSUPPORTED_OPERATION)
        return wrong("class");
    if (handled != 1 || handled_class != MPI_ERR_UNSUPPORTED_OPERATION)
        return wrong("error handler");
    rc = MPIX_Comm_get_failed(MPI_COMM_SELF, &group);
    if (rc == MPI_SUCCESS || handled != 2)
        return wrong("second call");
    if (MPIX_Comm_ack_failed(MPI_COMM_SELF, 1, &number) == MPI_SUCCESS || number != 0)
        return wrong("OUT argument of MPIX_Comm_ack_failed");
    if (MPIX_Comm_iagree(MPI_COMM_SELF, &class, &request) == MPI_SUCCESS || request != MPI_REQUEST_NULL)
        return wrong("OUT argument of MPIX_Comm_iagree");
    return puts("absent") < 0;
}

int main(int argc, char **argv)
{
    MPI_Errhandler errhandler;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(handler, &errhandler);
    if (argc == 1)
        MPI_Comm_set_errhandler(MPI_COMM_SELF, errhandler);
    int bad = check();
    MPI_Finalize();
    return bad;
}
