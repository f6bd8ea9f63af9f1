// SPDX-License-Identifier: BSD-3-Clause
// The program spawns itself. MPICH 4.0.2 over UCX has no dynamic processes.
/* ranks: 1 */
/* modes: openmpi mpich-to-openmpi */
#include "check.h"

static void test_spawned(MPI::Intercomm &parent)
{
    int value = 0;
    parent.Bcast(&value, 1, MPI::INT, 0);
    CHECK(value == 4711);
    int mine = my_rank + 1;
    parent.Reduce(&mine, 0, 1, MPI::INT, MPI::SUM, 0);
    parent.Disconnect();
}

static void test_spawn()
{
    int codes[2] = { -1, -1 }, value = 4711, sum = 0;
    const char *arguments[] = { "child", 0 };
    MPI::Intercomm children = MPI::COMM_SELF.Spawn(std::getenv("TEST_PROGRAM"), arguments, 2, MPI::INFO_NULL, 0, codes);
    CHECK(codes[0] == MPI::SUCCESS && codes[1] == MPI::SUCCESS);
    CHECK(children.Get_remote_size() == 2 && children.Is_inter());
    children.Bcast(&value, 1, MPI::INT, MPI::ROOT);
    children.Reduce(0, &sum, 1, MPI::INT, MPI::SUM, MPI::ROOT);
    CHECK(sum == 3);
    children.Disconnect();
}

static void test()
{
    MPI::Intercomm parent = MPI::Comm::Get_parent();
    if (parent != MPI::COMM_NULL)
        test_spawned(parent);
    else
        test_spawn();
}
