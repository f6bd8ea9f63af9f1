// SPDX-License-Identifier: BSD-3-Clause
// Attributes with callbacks in C++ and in C, on every kind of communicator, datatypes and windows.
/* ranks: 2 */
#include "check.h"

#include <typeinfo>

static int copies, deletes, state = 77;
static const std::type_info *wanted;
static MPI_Comm wanted_comm;

static int copy_comm(const MPI::Comm &old, int keyval, void *extra, void *in, void *out, bool &flag)
{
    copies++;
    CHECK(extra == &state && keyval != MPI::KEYVAL_INVALID);
    CHECK(typeid(old) == *wanted);
    CHECK((MPI_Comm)old == wanted_comm);
    CHECK(old.Get_size() > 0);
    *(void **)out = (char *)in + 1;
    flag = true;
    return MPI::SUCCESS;
}

static int delete_comm(MPI::Comm &comm, int keyval, void *value, void *extra)
{
    deletes++;
    CHECK(extra == &state && value != 0 && keyval != MPI::KEYVAL_INVALID);
    CHECK(typeid(comm) == *wanted);
    return MPI::SUCCESS;
}

static int refuse_copy(const MPI::Comm &, int, void *, void *, void *, bool &) { return MPI::ERR_TOPOLOGY; }
static int no_copy(const MPI::Comm &, int, void *, void *, void *, bool &flag) { copies++; flag = false; return 0; }

static int copy_same(const MPI::Comm &, int, void *extra, void *in, void *out, bool &flag)
{
    copies++;
    CHECK(extra == &state);
    *(void **)out = in;
    flag = true;
    return MPI::SUCCESS;
}

extern "C" int copy_in_c(MPI_Comm, int, void *extra, void *in, void *out, int *flag)
{
    copies++;
    CHECK(extra == &state);
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

extern "C" int delete_in_c(MPI_Comm, int, void *, void *extra)
{
    deletes++;
    CHECK(extra == &state);
    return MPI_SUCCESS;
}

/* Caches, copies and deletes an attribute of one kind of communicator. */
template <class Kind> static void test_kind(Kind comm, int keyval)
{
    static char value[4];
    void *found = 0;
    wanted = &typeid(Kind);
    wanted_comm = comm;
    copies = deletes = 0;
    CHECK(!comm.Get_attr(keyval, &found));
    comm.Set_attr(keyval, value);
    CHECK(comm.Get_attr(keyval, &found) && found == value);
    Kind copy = comm.Dup();
    CHECK(copies == 1);
    CHECK(copy.Get_attr(keyval, &found) && found == value + 1);
    copy.Delete_attr(keyval);
    CHECK(deletes == 1 && !copy.Get_attr(keyval, &found));
    copy.Set_attr(keyval, value);
    copy.Free();
    CHECK(deletes == 2);
    comm.Set_attr(keyval, value + 1);
    CHECK(deletes == 3);
    comm.Delete_attr(keyval);
    CHECK(deletes == 4);
}

static void test_comms()
{
    int dims[1] = { my_size }, index[2] = { 1, 2 }, edges[2] = { 1, 0 };
    bool periods[1] = { true };
    int keyval = MPI::Comm::Create_keyval(copy_comm, delete_comm, &state);
    MPI::Intracomm intra = MPI::COMM_WORLD.Dup();
    MPI::Cartcomm cart = intra.Create_cart(1, dims, periods, false);
    MPI::Graphcomm graph = intra.Create_graph(my_size, index, edges, false);
    MPI::Intercomm inter = MPI::COMM_SELF.Create_intercomm(0, intra, 1 - my_rank, 3);
    test_kind(intra, keyval);
    test_kind(cart, keyval);
    test_kind(graph, keyval);
    test_kind(inter, keyval);
    test_kind<MPI::Intracomm>(MPI::COMM_WORLD, keyval);
    MPI::Comm::Free_keyval(keyval);
    CHECK(keyval == MPI::KEYVAL_INVALID);
    inter.Free();
    graph.Free();
    cart.Free();
    intra.Free();
}

static void test_other_callbacks()
{
    static int value = 5;
    int *found = 0;
    MPI::Intracomm comm = MPI::COMM_WORLD.Dup(), copy;
    wanted = &typeid(MPI::Intracomm);
    int keyvals[] = {
        MPI::Comm::Create_keyval(MPI::Comm::NULL_COPY_FN, MPI::Comm::NULL_DELETE_FN, &state),
        MPI::Comm::Create_keyval(MPI::Comm::DUP_FN, MPI::Comm::NULL_DELETE_FN, &state),
#ifdef OPEN_MPI // takes functions in C, too
        MPI::Comm::Create_keyval(copy_in_c, delete_in_c, &state),
        MPI::Comm::Create_keyval(copy_in_c, delete_comm, &state),
        MPI::Comm::Create_keyval(no_copy, delete_in_c, &state),
        MPI::Comm::Create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &state),
    };
    const bool copied[] = { false, true, true, true, false, true };
    const int all_copies = 3, deletes_of_copy = 2, all_deletes = 5;
#else
        MPI::Comm::Create_keyval(copy_same, MPI::Comm::NULL_DELETE_FN, &state),
        MPI::Comm::Create_keyval(no_copy, delete_comm, &state),
        MPI::Comm::Create_keyval(copy_same, delete_comm, &state),
    };
    const bool copied[] = { false, true, true, false, true };
    const int all_copies = 3, deletes_of_copy = 1, all_deletes = 3;
#endif
    copies = deletes = 0;
    for (int keyval : keyvals)
        comm.Set_attr(keyval, &value);
    copy = comm.Dup();
    for (size_t i = 0; i < sizeof keyvals / sizeof *keyvals; i++)
        CHECK(copy.Get_attr(keyvals[i], &found) == copied[i] && (!copied[i] || found == &value));
    CHECK(copies == all_copies);
    copy.Free();
    CHECK(deletes == deletes_of_copy);
    comm.Free();
    CHECK(deletes == all_deletes);
    for (int keyval : keyvals)
        MPI::Comm::Free_keyval(keyval);

    int refusing = MPI::Comm::Create_keyval(refuse_copy, MPI::Comm::NULL_DELETE_FN, &state);
    comm = MPI::COMM_SELF.Dup();
    comm.Set_errhandler(MPI::ERRORS_RETURN);
    comm.Set_attr(refusing, &value);
    MPI_Comm made;
    CHECK(MPI_Comm_dup(comm, &made) != MPI_SUCCESS);
    comm.Delete_attr(refusing);
    comm.Free();
    MPI::Comm::Free_keyval(refusing);
}

#ifdef OPEN_MPI
typedef const void type_value; // its bindings' word for what a datatype's copy function gets
#else
typedef void type_value;
#endif

static int copy_type(const MPI::Datatype &old, int, void *extra, type_value *in, void *out, bool &flag)
{
    copies++;
    CHECK(extra == &state && old.Get_size() == 8);
    *(type_value **)out = in;
    flag = true;
    return MPI::SUCCESS;
}

static int delete_type(MPI::Datatype &type, int, void *, void *extra)
{
    deletes++;
    CHECK(extra == &state && type != MPI::DATATYPE_NULL);
    return MPI::SUCCESS;
}

static void test_types()
{
    static int value;
    void *found = 0;
    copies = deletes = 0;
    int keyval = MPI::Datatype::Create_keyval(copy_type, delete_type, &state);
    MPI::Datatype type = MPI::INT.Create_contiguous(2);
    type.Set_attr(keyval, &value);
    MPI::Datatype copy = type.Dup();
    CHECK(copies == 1 && copy.Get_attr(keyval, &found) && found == &value);
    copy.Free();
    type.Delete_attr(keyval);
    CHECK(deletes == 2 && !type.Get_attr(keyval, &found));
    type.Free();
    MPI::Datatype::Free_keyval(keyval);
}

static int copy_win(const MPI::Win &, int, void *, void *, void *, bool &) { copies++; return MPI::SUCCESS; }
static int delete_win(MPI::Win &win, int, void *value, void *extra)
{
    deletes++;
    CHECK(extra == &state && win != MPI::WIN_NULL && value != 0);
    return MPI::SUCCESS;
}

static void test_windows()
{
    static int memory[4];
    void *found = 0;
    copies = deletes = 0;
    int keyval = MPI::Win::Create_keyval(copy_win, delete_win, &state);
    MPI::Win win = MPI::Win::Create(memory, sizeof memory, sizeof(int), MPI::INFO_NULL, MPI::COMM_WORLD);
    CHECK(win.Get_attr(MPI::WIN_BASE, &found) && found == memory);
    MPI::Aint *size;
    CHECK(win.Get_attr(MPI::WIN_SIZE, &size) && *size == (MPI::Aint)sizeof memory);
    win.Set_attr(keyval, memory);
    CHECK(win.Get_attr(keyval, &found) && found == memory);
    win.Free();
    CHECK(copies == 0 && deletes == 1);
    MPI::Win::Free_keyval(keyval);
}

static void test()
{
    int *upper = 0;
    CHECK(MPI::COMM_WORLD.Get_attr(MPI::TAG_UB, &upper) && *upper >= 32767);
    test_comms();
    test_other_callbacks();
    test_types();
    test_windows();
}
