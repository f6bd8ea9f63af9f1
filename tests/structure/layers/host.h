/* SPDX-License-Identifier: BSD-3-Clause */
/* A host of three procedures, for layers.c. */
#ifndef HOST_H
#define HOST_H

#define HIDDEN
typedef void mpi_function(void);

extern struct host_procedures {
    int (*MPI_A)(int number);
    int (*MPI_B)(int number);
    int (*MPI_C)(int number);
} host;
#define HOST_PROCEDURES 3

#endif
