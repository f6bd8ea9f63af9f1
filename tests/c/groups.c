/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 4 */
/* Groups: results that are ranks, MPI_UNDEFINED or MPI_PROC_NULL, and triplets
 * whose third entry is a stride, not a rank. */
#include "check.h"

static MPI_Group world;

static void expect_members(MPI_Group group, const int *want, int count)
{
    int size = -1, ranks[8], got[8];
    OK(MPI_Group_size(group, &size));
    CHECK_INT(size, count);
    for (int i = 0; i < count; i++)
        ranks[i] = i;
    OK(MPI_Group_translate_ranks(group, count, ranks, world, got));
    for (int i = 0; i < count; i++)
        CHECK_INT(got[i], want[i]);
}

static void translate(void)
{
    int two[2] = { 2, 0 }, from[5] = { 0, 1, 2, 3, MPI_PROC_NULL }, got[5];
    static const int want[5] = { 1, MPI_UNDEFINED, 0, MPI_UNDEFINED, MPI_PROC_NULL };
    MPI_Group pair;
    OK(MPI_Group_incl(world, 2, two, &pair));
    OK(MPI_Group_translate_ranks(world, 5, from, pair, got));
    for (int i = 0; i < 5; i++)
        CHECK_INT(got[i], want[i]);
    for (int i = 0; i < 5; i++)
        CHECK_INT(from[i], i < 4 ? i : MPI_PROC_NULL);
    OK(MPI_Group_free(&pair));
    CHECK(pair == MPI_GROUP_NULL);
}

/* Strides of -1 and -2 look like MPI_PROC_NULL and MPI_ANY_SOURCE. */
static void ranges(void)
{
    int down[1][3] = { { 3, 0, -1 } }, by_two[1][3] = { { 3, 1, -2 } }, by_three[1][3] = { { 3, 0, -3 } };
    static const int all[] = { 3, 2, 1, 0 }, odd[] = { 3, 1 }, even[] = { 0, 2 }, ends[] = { 3, 0 };
    MPI_Group group;
    OK(MPI_Group_range_incl(world, 1, down, &group));
    expect_members(group, all, 4);
    OK(MPI_Group_free(&group));
    OK(MPI_Group_range_incl(world, 1, by_two, &group));
    expect_members(group, odd, 2);
    OK(MPI_Group_free(&group));
    OK(MPI_Group_range_incl(world, 1, by_three, &group));
    expect_members(group, ends, 2);
    OK(MPI_Group_free(&group));
    OK(MPI_Group_range_excl(world, 1, by_two, &group));
    expect_members(group, even, 2);
    OK(MPI_Group_free(&group));
    CHECK_INT(by_two[0][2], -2);
}

static void set_operations(void)
{
    int low[2] = { 0, 1 }, high[3] = { 3, 1, 2 }, result, rank;
    static const int both[] = { 0, 1, 3, 2 }, common[] = { 1 }, rest[] = { 0 };
    MPI_Group a, b, c, empty;
    OK(MPI_Group_incl(world, 2, low, &a));
    OK(MPI_Group_incl(world, 3, high, &b));
    OK(MPI_Group_union(a, b, &c));
    expect_members(c, both, 4);
    OK(MPI_Group_compare(c, world, &result));
    CHECK_INT(result, MPI_SIMILAR);
    OK(MPI_Group_free(&c));
    OK(MPI_Group_intersection(a, b, &c));
    expect_members(c, common, 1);
    OK(MPI_Group_free(&c));
    OK(MPI_Group_difference(a, b, &c));
    expect_members(c, rest, 1);
    OK(MPI_Group_compare(a, c, &result));
    CHECK_INT(result, MPI_UNEQUAL);
    OK(MPI_Group_compare(a, a, &result));
    CHECK_INT(result, MPI_IDENT);
    OK(MPI_Group_rank(c, &rank));
    CHECK_INT(rank, check_rank == 0 ? 0 : MPI_UNDEFINED);
    OK(MPI_Group_free(&c));
    OK(MPI_Group_excl(a, 2, low, &empty));
    CHECK(empty == MPI_GROUP_EMPTY);
    OK(MPI_Group_incl(world, 0, NULL, &empty));
    CHECK(empty == MPI_GROUP_EMPTY);
    OK(MPI_Group_size(MPI_GROUP_EMPTY, &rank));
    CHECK_INT(rank, 0);
    OK(MPI_Group_excl(world, 1, low, &c));
    OK(MPI_Group_size(c, &rank));
    CHECK_INT(rank, 3);
    OK(MPI_Group_free(&c));
    OK(MPI_Group_free(&a));
    OK(MPI_Group_free(&b));
}

static void communicators_of_groups(void)
{
    int odd[2] = { 3, 1 }, rank = -9, result;
    MPI_Group group, back;
    MPI_Comm comm;
    OK(MPI_Group_incl(world, 2, odd, &group));
    OK(MPI_Comm_create(MPI_COMM_WORLD, group, &comm));
    CHECK((comm == MPI_COMM_NULL) == (check_rank % 2 == 0));
    if (comm != MPI_COMM_NULL) {
        OK(MPI_Comm_rank(comm, &rank));
        CHECK_INT(rank, check_rank == 3 ? 0 : 1);
        OK(MPI_Comm_group(comm, &back));
        OK(MPI_Group_compare(back, group, &result));
        CHECK_INT(result, MPI_IDENT);
        OK(MPI_Group_free(&back));
        OK(MPI_Comm_free(&comm));
        OK(MPI_Comm_create_group(MPI_COMM_WORLD, group, 17, &comm));
        OK(MPI_Comm_size(comm, &rank));
        CHECK_INT(rank, 2);
        OK(MPI_Comm_free(&comm));
    }
    OK(MPI_Group_free(&group));
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    translate();
    ranges();
    set_operations();
    communicators_of_groups();
    OK(MPI_Group_free(&world));
    return check_end();
}
