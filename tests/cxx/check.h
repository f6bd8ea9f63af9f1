// SPDX-License-Identifier: BSD-3-Clause
// Checks for the C++ test programs. main() is here: it calls test(), and rank 0 prints "ok NAME"
// if no check of any rank failed.
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static int failures, my_rank, my_size;

#define CHECK(condition) check(condition, #condition, __FILE__, __LINE__)

static inline bool check(bool holds, const char *text, const char *file, int line)
{
    if (!holds) {
        std::fprintf(stderr, "%s:%d: rank %d: not true: %s\n", file, line, my_rank, text);
        failures++;
    }
    return holds;
}

static void test();

int main(int argc, char **argv)
{
    MPI::Init(argc, argv);
    my_rank = MPI::COMM_WORLD.Get_rank();
    my_size = MPI::COMM_WORLD.Get_size();
    test();
    int all = 0;
    MPI::COMM_WORLD.Allreduce(&failures, &all, 1, MPI::INT, MPI::SUM);
    MPI::Finalize();
    if (my_rank == 0 && all == 0)
        std::printf("ok %s\n", TEST_NAME);
    return all != 0;
}

#endif
