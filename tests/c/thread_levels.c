/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* A level between the extremes is granted as itself or higher. */
#include "check.h"

int main(int argc, char **argv)
{
    int provided = -1, level = -1;
    OK(MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided));
    check_identify();
    CHECK(provided == MPI_THREAD_SERIALIZED || provided == MPI_THREAD_MULTIPLE);
    OK(MPI_Query_thread(&level));
    CHECK_INT(level, provided);
    return check_end();
}
