/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls MPI in a constructor, in a wrapper of the program's own, and in a child process, and says what came of it. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int early = -1, wrapped;

__attribute__((constructor)) static void call_early(void) { MPI_Initialized(&early); }

int MPI_Barrier(MPI_Comm comm)
{
    wrapped++;
    return PMPI_Barrier(comm);
}

int main(int argc, char **argv)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int rank, size, length, value, sum = 0, in_place, finalized = -1, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_library_version(text, &length);
    value = in_place = rank + 1;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &in_place, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        MPI_Finalized(&finalized);
        _exit(finalized == 0 ? 7 : 8);
    }
    waitpid(child, &status, 0);
    MPI_Finalize();
    if (rank == 0)
        printf("early %d, rank %d of %d, sums %d %d, wrapped %d, child %d, %.5s\n", early, rank, size, sum, in_place, wrapped,
               WEXITSTATUS(status), text);
    return 0;
}
