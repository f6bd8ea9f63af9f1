/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* variants: -no-pie|-fPIE -pie|-fPIC -fno-plt -pie|-Wl,-z,now -Wl,-z,relro|-Wl,-z,lazy */
/* libs: -ldl */
/* Ways in which a program reaches MPI: the procedure linkage table, the global
 * offset table, tables of addresses, dlsym; data by copy relocation.  This is
 * valid C++ too. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"
#include <dlfcn.h>

typedef int (*rank_fn)(MPI_Comm, int *);
typedef int (*allreduce_fn)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
typedef double (*wtime_fn)(void);

/* Filled by the loader with absolute relocations. */
static rank_fn table[] = { MPI_Comm_rank, MPI_Comm_size, PMPI_Comm_rank, PMPI_Comm_size };
static allreduce_fn reduce_table[] = { MPI_Allreduce, PMPI_Allreduce };

/* Handles in static data: addresses of the library's objects, or integers. */
static MPI_Datatype types[] = { MPI_INT, MPI_DOUBLE, MPI_CHAR };
static MPI_Op ops[] = { MPI_SUM, MPI_MAX };
static MPI_Comm comms[] = { MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_NULL };

static void address_tables(void)
{
    int rank = -1, size = -1, sum = 0, one = 1;
    OK(table[0](comms[0], &rank));
    CHECK_INT(rank, check_rank);
    OK(table[3](comms[0], &size));
    CHECK_INT(size, check_size);
    for (int i = 0; i < 2; i++) {
        sum = 0;
        OK(reduce_table[i](&one, &sum, 1, types[0], ops[0], comms[0]));
        CHECK_INT(sum, check_size);
    }
    CHECK(comms[2] == MPI_COMM_NULL);
    OK(MPI_Type_size(types[1], &size));
    CHECK_INT(size, 8);
}

static void by_name(void *from)
{
    rank_fn rank_of = (rank_fn)dlsym(from, "MPI_Comm_rank"), prank_of = (rank_fn)dlsym(from, "PMPI_Comm_rank");
    allreduce_fn reduce = (allreduce_fn)dlsym(from, "MPI_Allreduce");
    wtime_fn clock_of = (wtime_fn)dlsym(from, "MPI_Wtime");
    int rank = -1, one = 1, sum = 0;
    CHECK(rank_of != NULL && prank_of != NULL && reduce != NULL && clock_of != NULL);
    if (!rank_of || !prank_of || !reduce || !clock_of)
        return;
    OK(rank_of(MPI_COMM_WORLD, &rank));
    CHECK_INT(rank, check_rank);
    rank = -1;
    OK(prank_of(MPI_COMM_WORLD, &rank));
    CHECK_INT(rank, check_rank);
    OK(reduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_INT(sum, check_size);
    CHECK(clock_of() >= 0);
}

/* A function has one address, however it is reached. */
static void one_address(void)
{
    rank_fn volatile direct = MPI_Comm_rank;
    CHECK((rank_fn)dlsym(RTLD_DEFAULT, "MPI_Comm_rank") == direct || table[0] == direct);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    address_tables();
    by_name(RTLD_DEFAULT);
    one_address();
    return check_end();
}
