/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* MPI_Comm_join over a socket between the two processes. */
#include "../socket.h"
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Comm other = MPI_COMM_NULL;
    int fd, got = -1;
    check_begin(&argc, &argv);
    fd = connected_socket(MPI_COMM_WORLD);
    CHECK(fd >= 0);
    if (!known_fault("join")) {
        OK(MPI_Comm_join(fd, &other));
        if (other != MPI_COMM_NULL) {
            OK(MPI_Sendrecv(&check_rank, 1, MPI_INT, 0, 0, &got, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE));
            CHECK_INT(got, 1 - check_rank);
            OK(MPI_Comm_disconnect(&other));
        }
    }
    close(fd);
    return check_end();
}
