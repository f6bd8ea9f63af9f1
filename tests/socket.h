/* SPDX-License-Identifier: BSD-3-Clause */
/* A socket between two processes, for MPI_Comm_join. */
#ifndef SOCKET_H
#define SOCKET_H

#include <arpa/inet.h>
#include <mpi.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

/* The descriptor of this process, of a communicator of two; -1 if there is none. */
static int connected_socket(MPI_Comm comm)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0), rank = 0, accepted;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 1) == 0)
        getsockname(fd, (struct sockaddr *)&address, &length);
    MPI_Bcast(&address.sin_port, sizeof address.sin_port, MPI_BYTE, 0, comm);
    if (rank == 1)
        return connect(fd, (struct sockaddr *)&address, sizeof address) == 0 ? fd : -1;
    accepted = accept(fd, NULL, NULL);
    close(fd);
    return accepted;
}

#endif
