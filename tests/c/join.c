/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* MPI_Comm_join over a socket between the two processes. */
#include "check.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static int connected_socket(void)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0), port = 0, accepted;
    if (check_rank == 0) {
        CHECK(bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 1) == 0);
        getsockname(fd, (struct sockaddr *)&address, &length);
        port = address.sin_port;
        OK(MPI_Send(&port, 1, MPI_INT, 1, 0, MPI_COMM_WORLD));
        accepted = accept(fd, NULL, NULL);
        close(fd);
        return accepted;
    }
    OK(MPI_Recv(&port, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    address.sin_port = (in_port_t)port;
    CHECK(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
    return fd;
}

int main(int argc, char **argv)
{
    MPI_Comm other = MPI_COMM_NULL;
    int fd, got = -1;
    check_begin(&argc, &argv);
    fd = connected_socket();
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
