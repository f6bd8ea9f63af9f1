/* SPDX-License-Identifier: BSD-3-Clause */
/* A small library with slots of each kind, and names and versions to read. It is linked in more ways than one. */
extern int MPI_Init(int *, char ***);
extern int MPI_Send(const void *, int, void *, int, int, void *);
extern int ompi_mpi_comm_world;

int (*const table[])(int *, char ***) = { MPI_Init };
int *where = &ompi_mpi_comm_world;

int PMPI_Init(int *argc, char ***argv) { return MPI_Init(argc, argv); }
int work(void) { return MPI_Send(where, 1, &ompi_mpi_comm_world, 0, 0, (void *)table); }
