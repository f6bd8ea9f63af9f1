// SPDX-License-Identifier: BSD-3-Clause
// Says which rank of its node it is by a variable of Open MPI's launcher, and becomes the command that it is given.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *rank = getenv("OMPI_COMM_WORLD_LOCAL_RANK");
    printf("wrapper %s\n", rank ? rank : "(unset)");
    fflush(stdout);
    return argc > 1 ? execv(argv[1], argv + 1) : 1;
}
