/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* Ports: one half of the processes accepts the other. */
#include "check.h"

static void accept_connect(void)
{
    char port[MPI_MAX_PORT_NAME] = "";
    int got = -1;
    MPI_Comm other = MPI_COMM_NULL;
    if (check_rank == 0) {
        OK(MPI_Open_port(MPI_INFO_NULL, port));
        OK(MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, 0, MPI_COMM_WORLD));
        OK(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other));
        OK(MPI_Close_port(port));
    } else {
        OK(MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other));
    }
    if (other == MPI_COMM_NULL)
        return;
    OK(MPI_Sendrecv(&check_rank, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, other, MPI_STATUS_IGNORE));
    CHECK_INT(got, 1 - check_rank);
    OK(MPI_Comm_disconnect(&other));
    CHECK(other == MPI_COMM_NULL);
}

static void names(void)
{
    char port[MPI_MAX_PORT_NAME] = "";
    FAILS(MPI_Lookup_name("no such service of ours", MPI_INFO_NULL, port), MPI_ERR_NAME);
    if (check_rank == 0) {
        OK(MPI_Publish_name("checked service", MPI_INFO_NULL, "the_port"));
        OK(MPI_Lookup_name("checked service", MPI_INFO_NULL, port));
        CHECK_STR(port, "the_port");
        OK(MPI_Unpublish_name("checked service", MPI_INFO_NULL, "the_port"));
    }
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    if (!known_fault("ports"))
        accept_connect();
    names();
    return check_end();
}
