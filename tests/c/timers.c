/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* MPI_Wtime goes on from before MPI_Init to after MPI_Finalize, for programs of an MPI that answers there: their static objects
 * may time the start. Odd ranks do not ask before. */
#include "check.h"

#ifdef OPEN_MPI
static int asks_before(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    return !rank || atoi(rank) % 2 == 0;
}

/* Times in the order in which they were taken, and the clock's resolution. */
static double last;
static void look(const char *when)
{
    double now = MPI_Wtime(), tick = MPI_Wtick();
    if (!(now >= last) || !(tick > 0 && tick < 1))
        fprintf(stderr, "%s: %.9f after %.9f, with a tick of %g\n", when, now, last, tick);
    CHECK(now >= last);
    CHECK(tick > 0 && tick < 1);
    last = now;
}
#endif

int main(int argc, char **argv)
{
#ifdef OPEN_MPI
    if (asks_before())
        look("before MPI_Init");
    MPI_Init(&argc, &argv);
    look("after MPI_Init");
    MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);
    MPI_Barrier(MPI_COMM_WORLD);
    look("after a barrier");
    MPI_Finalize();
    look("after MPI_Finalize");
    if (check_rank == 0 && check_failures == 0)
        printf("ok timers\n");
    return check_failures != 0;
#else
    check_begin(&argc, &argv);
    double first = MPI_Wtime();
    CHECK(MPI_Wtime() >= first);
    CHECK(MPI_Wtick() > 0 && MPI_Wtick() < 1);
    return check_end();
#endif
}
