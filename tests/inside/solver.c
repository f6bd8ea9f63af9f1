/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that is linked with an archive of MPI, and a program that calls it: a solver, and whoever solves. Constants that have addresses
 * are passed by both. */
#include <stdio.h>

int solve(void);
int finish(void);

#if defined SOLVER || defined CALLS
#include <mpi.h>

/* Returns how many neighbours without weights a rank has that is a neighbour of its own, or -1. */
static inline int count_neighbours(void)
{
    int rank, in = -1, out = -1, weighted = -1;
    MPI_Comm graph;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &rank, MPI_UNWEIGHTED, 1, &rank, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    MPI_Comm_free(&graph);
    return weighted ? -1 : in + out;
}
#endif

#ifdef SOLVER

#ifdef BEGINS
__attribute__((constructor)) static void begin(void) { MPI_Init(NULL, NULL); }
#endif

int solve(void)
{
    int rank, size, sum, length, flag, key;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Initialized(&flag);
    if (!flag)
        MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sum = rank + 1;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Get_library_version(text, &length);
    if (rank == 0)
        printf("rank 0 of %d, sum %d, %d neighbours, %.5s\n", size, sum, count_neighbours(), text);
    else
        count_neighbours();
    return 0;
}

int finish(void) { return MPI_Finalize(); }

#else

int main(void)
{
    int wrong = solve();
#ifdef CALLS
    wrong |= count_neighbours() != 2;
#endif
    finish();
    if (wrong)
        puts("wrong");
    return wrong;
}
#endif
