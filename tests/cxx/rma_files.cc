// SPDX-License-Identifier: BSD-3-Clause
// Windows, files, infos and data representations.
/* ranks: 2 */
#include "check.h"

static void test_windows()
{
    int memory[4] = { -1, -1, -1, -1 }, mine = my_rank + 1, got = 0, next = (my_rank + 1) % my_size;
    MPI::Win win = MPI::Win::Create(memory, sizeof memory, sizeof(int), MPI::INFO_NULL, MPI::COMM_WORLD);
    win.Fence(0);
    win.Put(&mine, 1, MPI::INT, next, 0, 1, MPI::INT);
    win.Fence(0);
    CHECK(memory[0] == (my_rank + my_size - 1) % my_size + 1);
    win.Get(&got, 1, MPI::INT, next, 0, 1, MPI::INT);
    win.Fence(0);
    CHECK(got == mine);
    memory[1] = 100;
    win.Fence(0);
    win.Accumulate(&mine, 1, MPI::INT, 0, 1, 1, MPI::INT, MPI::SUM);
    win.Fence(0);
    CHECK(my_rank != 0 || memory[1] == 100 + my_size * (my_size + 1) / 2);
    win.Lock(MPI::LOCK_EXCLUSIVE, next, 0);
    win.Accumulate(&mine, 1, MPI::INT, next, 2, 1, MPI::INT, MPI::REPLACE);
    win.Unlock(next);
    MPI::COMM_WORLD.Barrier();
    win.Lock(MPI::LOCK_SHARED, my_rank, 0);
    CHECK(memory[2] == (my_rank + my_size - 1) % my_size + 1);
    win.Unlock(my_rank);
    MPI::Group all = win.Get_group();
    CHECK(all.Get_size() == my_size);
    win.Post(all, 0);
    win.Start(all, 0);
    win.Complete();
    win.Wait();
    char name[MPI::MAX_OBJECT_NAME];
    int length;
    win.Set_name("window");
    win.Get_name(name, length);
    CHECK(std::strcmp(name, "window") == 0);
    all.Free();
    win.Free();
    CHECK(win == MPI::WIN_NULL);
}

static void test_infos()
{
    MPI::Info info = MPI::Info::Create();
    char value[MPI::MAX_INFO_VAL], key[MPI::MAX_INFO_KEY];
    int length = 0;
    info.Set("colour", "green");
    info.Set("shape", "round");
    CHECK(info.Get_nkeys() == 2);
    CHECK(info.Get("colour", sizeof value - 1, value) && std::strcmp(value, "green") == 0);
    CHECK(!info.Get("taste", sizeof value - 1, value));
    CHECK(info.Get_valuelen("shape", length) && length == 5);
    info.Get_nthkey(0, key);
    CHECK(std::strcmp(key, "colour") == 0);
    MPI::Info copy = info.Dup();
    copy.Delete("colour");
    CHECK(copy.Get_nkeys() == 1 && info.Get_nkeys() == 2 && copy != info);
    copy.Free();
    info.Free();
    CHECK(info == MPI::INFO_NULL);
}

// The bindings set an error handler on MPI::FILE_NULL, which every file inherits.
static void test_many_files()
{
    const char *name = my_rank == 0 ? "rma_files.many0" : "rma_files.many1";
    for (int i = 0; i < 10; i++) {
        MPI::File file = MPI::File::Open(MPI::COMM_SELF, name,
                                         MPI::MODE_CREATE | MPI::MODE_RDWR | MPI::MODE_DELETE_ON_CLOSE, MPI::INFO_NULL);
        file.Write(&i, 1, MPI::INT);
        if (i % 3 == 1)
            file.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
        if (i % 3 == 2)
            file.Set_errhandler(MPI::ERRORS_RETURN);
        file.Close();
    }
}

static void test_files()
{
    const char *name = "rma_files.data";
    int out[4] = { my_rank, 10 + my_rank, 20, 30 }, in[4] = { 0 };
    MPI::Status status;
    MPI::File file = MPI::File::Open(MPI::COMM_WORLD, name, MPI::MODE_CREATE | MPI::MODE_RDWR, MPI::INFO_NULL);
    CHECK(file != MPI::FILE_NULL);
    file.Set_size(0);
    file.Set_view(my_rank * sizeof out, MPI::INT, MPI::INT, "native", MPI::INFO_NULL);
    file.Write_at_all(0, out, 4, MPI::INT, status);
    CHECK(status.Get_count(MPI::INT) == 4);
    file.Sync();
    MPI::COMM_WORLD.Barrier();
    CHECK(file.Get_size() == (MPI::Offset)(my_size * sizeof out));
    file.Seek(1, MPI_SEEK_SET);
    file.Read(in, 2, MPI::INT, status);
    CHECK(in[0] == 10 + my_rank && in[1] == 20);
    CHECK(file.Get_position() == 3);
    MPI::Request request = file.Iread_at(0, in, 1, MPI::INT);
    request.Wait(status);
    CHECK(in[0] == my_rank && status.Get_count(MPI::INT) == 1);
    CHECK(file.Get_amode() == (MPI::MODE_CREATE | MPI::MODE_RDWR));
    MPI::Group group = file.Get_group();
    CHECK(group.Get_size() == my_size);
    group.Free();
    file.Close();
    CHECK(file == MPI::FILE_NULL);
    MPI::COMM_WORLD.Barrier();
    if (my_rank == 0)
        MPI::File::Delete(name, MPI::INFO_NULL);
}

#ifdef OPEN_MPI // MPICH's bindings have none
static void convert(void *, MPI::Datatype &, int, void *, MPI::Offset, void *) {}
static void extent(const MPI::Datatype &datatype, MPI::Aint &extent, void *) { extent = datatype.Get_size(); }

/* The bindings keep what they allocate for each in a list of Open MPI's. */
static void test_representations()
{
    int state = 0;
    MPI::Register_datarep("ours", convert, convert, extent, &state);
    MPI::Register_datarep("reading", MPI_CONVERSION_FN_NULL, convert, extent, &state);
    MPI::Register_datarep("native too", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent, &state);
}
#else
static void test_representations() {}
#endif

static void test()
{
    test_windows();
    test_infos();
    test_files();
    test_many_files();
    test_representations();
}
