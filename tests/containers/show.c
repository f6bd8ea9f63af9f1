// SPDX-License-Identifier: BSD-3-Clause
// An MPI program that shows what it was given: variables, words, or an exit code; or rank 1 aborts
// while the others wait.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "abort") == 0) {
        int rank;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank == 1)
            MPI_Abort(MPI_COMM_WORLD, atoi(argv[2]));
        sleep(100);
    }
    int words = strcmp(what, "words") == 0, code = strcmp(what, "exit") == 0 ? atoi(argv[2]) : 0;
    for (int i = words ? 2 : 1; i < argc && code == 0; i++) {
        const char *value = getenv(argv[i]);
        if (words)
            printf("<%s>\n", argv[i]);
        else
            printf("%s=%s\n", argv[i], value ? value : "(unset)");
    }
    MPI_Finalize();
    return code;
}
