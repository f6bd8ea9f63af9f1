// SPDX-License-Identifier: BSD-3-Clause
// An MPI program that shows what it was given: variables, words, or an exit code.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const char *what = argc > 1 ? argv[1] : "";
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
