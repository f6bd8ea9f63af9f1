// SPDX-License-Identifier: BSD-3-Clause
// Communicators, groups and topologies.
/* ranks: 2 4 */
#include "check.h"

/* Open MPI's bindings look whether a communicator is of the kind that it is made into. */
template <class Kind> static bool is_refused(const Kind &made)
{
#ifdef OPEN_MPI
    return made == MPI::COMM_NULL;
#else
    return made != MPI::COMM_NULL;
#endif
}

static void test_communicators()
{
    MPI::Intracomm dup = MPI::COMM_WORLD.Dup();
    MPI::Comm &clone = MPI::COMM_WORLD.Clone();
    CHECK(MPI::Comm::Compare(MPI::COMM_WORLD, dup) == MPI::CONGRUENT);
    CHECK(MPI::Comm::Compare(dup, clone) == MPI::CONGRUENT);
    CHECK(MPI::Comm::Compare(dup, dup) == MPI::IDENT);
    CHECK(clone.Get_size() == my_size && !clone.Is_inter());
    CHECK(dup != clone && MPI::COMM_WORLD != dup && dup != MPI::COMM_NULL);
    dup.Set_name("copy");
    char name[MPI::MAX_OBJECT_NAME];
    int length;
    dup.Get_name(name, length);
    CHECK(length == 4 && std::strcmp(name, "copy") == 0);
    clone.Free();
    delete &clone;

    MPI::Intracomm half = dup.Split(my_rank % 2, -my_rank);
    CHECK(half.Get_size() == my_size / 2);
    CHECK(half.Get_rank() == my_size / 2 - 1 - my_rank / 2);
    MPI::Intracomm none = dup.Split(my_rank == 0 ? 1 : MPI::UNDEFINED, 0);
    CHECK((none == MPI::COMM_NULL) == (my_rank != 0));
    if (none != MPI::COMM_NULL)
        none.Free();
    CHECK(MPI::COMM_SELF.Get_size() == 1);
    CHECK(dup.Get_topology() == MPI::UNDEFINED);
    half.Free();
    dup.Free();
    CHECK(dup == MPI::COMM_NULL);
}

static void test_groups()
{
    MPI::Group world = MPI::COMM_WORLD.Get_group();
    int first = 0, range[1][3] = { { 0, my_size - 1, 2 } }, translated;
    MPI::Group without = world.Excl(1, &first), even = world.Range_incl(1, range);
    CHECK(without.Get_size() == my_size - 1 && even.Get_size() == my_size / 2);
    CHECK((without.Get_rank() == MPI::UNDEFINED) == (my_rank == 0));
    MPI::Group::Translate_ranks(world, 1, &first, without, &translated);
    CHECK(translated == MPI::UNDEFINED);
    CHECK(MPI::Group::Compare(MPI::Group::Union(without, even), MPI::GROUP_EMPTY) == MPI::UNEQUAL);
    MPI::Group both = MPI::Group::Union(even, without);
    CHECK(both.Get_size() == my_size && MPI::Group::Compare(both, world) != MPI::UNEQUAL);
    MPI::Group nothing = MPI::Group::Difference(world, world);
    CHECK(nothing == MPI::GROUP_EMPTY);
    MPI::Intracomm rest = MPI::COMM_WORLD.Create(without);
    CHECK((rest == MPI::COMM_NULL) == (my_rank == 0));
    if (rest != MPI::COMM_NULL)
        rest.Free();
    both.Free();
    without.Free();
    even.Free();
    world.Free();
    CHECK(world == MPI::GROUP_NULL);
}

static void test_cart()
{
    int dims[2] = { 0, 0 }, coords[2], got[2], source, target;
    bool periods[2] = { true, false }, got_periods[2], keep[2] = { true, false };
    MPI::Compute_dims(my_size, 2, dims);
    CHECK(dims[0] * dims[1] == my_size);
    MPI::Cartcomm cart = MPI::COMM_WORLD.Create_cart(2, dims, periods, false);
    CHECK(cart.Get_topology() == MPI::CART && cart.Get_dim() == 2);
    cart.Get_topo(2, got, got_periods, coords);
    CHECK(got[0] == dims[0] && got[1] == dims[1] && got_periods[0] && !got_periods[1]);
    CHECK(cart.Get_cart_rank(coords) == cart.Get_rank());
    cart.Get_coords(cart.Get_rank(), 2, got);
    CHECK(got[0] == coords[0] && got[1] == coords[1]);
    cart.Shift(1, 1, source, target);
    CHECK((source == MPI::PROC_NULL) == (coords[1] == 0));
    CHECK((target == MPI::PROC_NULL) == (coords[1] == dims[1] - 1));
    MPI::Cartcomm column = cart.Sub(keep);
    CHECK(column.Get_dim() == 1 && column.Get_size() == dims[0]);
    MPI::Cartcomm copy = cart.Dup();
    CHECK(copy.Get_topology() == MPI::CART);
    MPI::Cartcomm &clone = cart.Clone();
    CHECK(clone.Get_dim() == 2);
    MPI::Intracomm plain = MPI::COMM_WORLD.Dup();
    MPI::Cartcomm wrong = MPI::Cartcomm(MPI_Comm(plain));
    CHECK(is_refused(wrong));
    clone.Free();
    delete &clone;
    plain.Free();
    copy.Free();
    column.Free();
    cart.Free();
}

static void test_graph()
{
    int index[4], edges[8], degree = 0, neighbour;
    for (int i = 0; i < my_size; i++) {
        edges[degree++] = (i + 1) % my_size;
        index[i] = degree;
    }
    MPI::Graphcomm graph = MPI::COMM_WORLD.Create_graph(my_size, index, edges, false);
    CHECK(graph.Get_topology() == MPI::GRAPH && graph.Get_neighbors_count(my_rank) == 1);
    graph.Get_neighbors(my_rank, 1, &neighbour);
    CHECK(neighbour == (my_rank + 1) % my_size);
    graph.Free();
}

static void test_inter()
{
    MPI::Intracomm half = MPI::COMM_WORLD.Split(my_rank % 2, my_rank);
    MPI::Intercomm inter = half.Create_intercomm(0, MPI::COMM_WORLD, 1 - my_rank % 2, 12);
    CHECK(inter.Is_inter() && inter.Get_remote_size() == my_size / 2);
    MPI::Group remote = inter.Get_remote_group();
    CHECK(remote.Get_size() == my_size / 2);
    int mine = my_rank, other = -1;
    inter.Sendrecv(&mine, 1, MPI::INT, inter.Get_rank(), 0, &other, 1, MPI::INT, inter.Get_rank(), 0);
    CHECK(other == (my_rank % 2 ? my_rank - 1 : my_rank + 1));
    MPI::Intercomm &clone = inter.Clone();
    CHECK(clone.Is_inter());
    MPI::Intracomm merged = inter.Merge(my_rank % 2 == 1);
    CHECK(merged.Get_size() == my_size && (merged.Get_rank() < my_size / 2) == (my_rank % 2 == 0));
    MPI::Intracomm wrong = MPI::Intracomm(MPI_Comm(inter));
    CHECK(is_refused(wrong));
    remote.Free();
    merged.Free();
    clone.Free();
    delete &clone;
    inter.Disconnect();
    half.Free();
}

static void test()
{
    test_communicators();
    test_groups();
    test_cart();
    test_graph();
    test_inter();
}
