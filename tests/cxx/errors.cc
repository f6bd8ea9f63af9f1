// SPDX-License-Identifier: BSD-3-Clause
// Error handlers in C++, MPI::ERRORS_THROW_EXCEPTIONS, exceptions, and codes of the program's own.
/* ranks: 1 2 */
#include "check.h"

#include <stdexcept>

static int comm_calls, win_calls, file_calls, last_class;
static MPI_Comm wanted_comm;
static MPI_Win wanted_win;
static MPI_File wanted_file;

static void on_comm(MPI::Comm &comm, int *code, ...)
{
    comm_calls++;
    last_class = MPI::Get_error_class(*code);
    CHECK((MPI_Comm)comm == wanted_comm);
}

static void on_win(MPI::Win &win, int *code, ...)
{
    win_calls++;
    last_class = MPI::Get_error_class(*code);
    CHECK((MPI_Win)win == wanted_win);
}

static void on_file(MPI::File &file, int *code, ...)
{
    file_calls++;
    last_class = MPI::Get_error_class(*code);
    CHECK((MPI_File)file == wanted_file);
}

static void throwing(MPI::Comm &, int *code, ...) { throw MPI::Exception(*code); }
static void other(MPI::Comm &, int *, ...) { comm_calls += 100; }

static void test_comm_handlers()
{
    MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
    wanted_comm = comm;
    MPI::Errhandler before = comm.Get_errhandler();
    CHECK(before == MPI::ERRORS_ARE_FATAL);
    MPI::Errhandler handler = MPI::Comm::Create_errhandler(on_comm), another = MPI::Comm::Create_errhandler(other);
    CHECK(handler != another && handler != MPI::ERRHANDLER_NULL);
    comm.Set_errhandler(handler);
    MPI::Errhandler got = comm.Get_errhandler();
    CHECK(got == handler);
    got.Free();
    int value = 0;
    comm.Send(&value, 1, MPI::INT, my_size + 5, 0);
    CHECK(comm_calls == 1 && last_class == MPI::ERR_RANK);
    comm.Call_errhandler(MPI::ERR_TAG);
    CHECK(comm_calls == 2 && last_class == MPI::ERR_TAG);
    MPI::Intracomm copy = comm.Dup();
    wanted_comm = copy;
    copy.Call_errhandler(MPI::ERR_COUNT);
    CHECK(comm_calls == 3 && last_class == MPI::ERR_COUNT);
    handler.Free();
    CHECK(handler == MPI::ERRHANDLER_NULL);
    copy.Call_errhandler(MPI::ERR_COUNT);
    CHECK(comm_calls == 4);
    copy.Set_errhandler(another);
    copy.Call_errhandler(MPI::ERR_COUNT);
    CHECK(comm_calls == 104);
    another.Free();
    copy.Free();
    comm.Free();
}

static void test_exceptions_of_handlers()
{
    MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
    MPI::Errhandler handler = MPI::Comm::Create_errhandler(throwing);
    comm.Set_errhandler(handler);
    for (int i = 0; i < 3; i++) {
        int caught = 0;
        try {
            comm.Send(&caught, 1, MPI::INT, my_size + 5, 0);
        } catch (MPI::Exception &exception) {
            caught = exception.Get_error_class();
            CHECK(MPI::Get_error_class(exception.Get_error_code()) == caught);
            CHECK(std::strlen(exception.Get_error_string()) > 0);
        }
        CHECK(caught == MPI::ERR_RANK);
        caught = 0;
        try {
            comm.Call_errhandler(MPI::ERR_TOPOLOGY);
        } catch (MPI::Exception &exception) {
            caught = exception.Get_error_class();
        }
        CHECK(caught == MPI::ERR_TOPOLOGY);
    }
    handler.Free();
    comm.Free();
}

/* The class of what MPI::ERRORS_THROW_EXCEPTIONS raised for an error of a handle. */
template <class Handle> static int thrown(Handle &handle, int code)
{
#if OMPI_HAVE_CXX_EXCEPTION_SUPPORT || defined MPICH_NAME
    try {
        handle.Call_errhandler(code);
    } catch (MPI::Exception &exception) {
        return exception.Get_error_class();
    }
    return MPI::SUCCESS;
#else
    /* A library without exceptions leaves the code in this variable. */
    MPI::mpi_errno = MPI::SUCCESS;
    handle.Call_errhandler(code);
    return MPI::Get_error_class(MPI::mpi_errno);
#endif
}

static void test_throwing(MPI::Win &win, MPI::File &file)
{
    MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
    comm.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
    win.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
    file.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
    CHECK(thrown(comm, MPI::ERR_RANK) == MPI::ERR_RANK);
    CHECK(thrown(win, MPI::ERR_DISP) == MPI::ERR_DISP);
    CHECK(thrown(file, MPI::ERR_AMODE) == MPI::ERR_AMODE);
    CHECK(comm.Get_errhandler() == MPI::ERRORS_THROW_EXCEPTIONS);
    CHECK(win.Get_errhandler() == MPI::ERRORS_THROW_EXCEPTIONS);
    for (int i = 0; i < 5; i++) {
        MPI::Errhandler got = comm.Get_errhandler();
        got.Free();
        CHECK(got == MPI::ERRHANDLER_NULL);
    }
    CHECK(thrown(comm, MPI::ERR_COUNT) == MPI::ERR_COUNT);
    MPI::Intracomm copy = comm.Dup();
    CHECK(thrown(copy, MPI::ERR_TAG) == MPI::ERR_TAG);
    copy.Free();
    comm.Free();
}

static void test_win_and_file()
{
    int memory = 0;
    MPI::Win win = MPI::Win::Create(&memory, sizeof memory, 1, MPI::INFO_NULL, MPI::COMM_WORLD);
    MPI::File file = MPI::File::Open(MPI::COMM_SELF, "errors.data",
                                     MPI::MODE_CREATE | MPI::MODE_RDWR | MPI::MODE_DELETE_ON_CLOSE, MPI::INFO_NULL);
    MPI::Errhandler of_win = MPI::Win::Create_errhandler(on_win), of_file = MPI::File::Create_errhandler(on_file);
    wanted_win = win;
    wanted_file = file;
    CHECK(file.Get_errhandler() == MPI::ERRORS_RETURN);
    win.Set_errhandler(of_win);
    file.Set_errhandler(of_file);
    CHECK(win.Get_errhandler() == of_win && file.Get_errhandler() == of_file);
    win.Call_errhandler(MPI::ERR_WIN);
    CHECK(win_calls == 1 && last_class == MPI::ERR_WIN);
    file.Call_errhandler(MPI::ERR_NO_SPACE);
    CHECK(file_calls == 1 && last_class == MPI::ERR_NO_SPACE);
    test_throwing(win, file);
    of_win.Free();
    of_file.Free();
    file.Close();
    win.Free();
}

static void test_own_codes()
{
    int error_class = MPI::Add_error_class(), code = MPI::Add_error_code(error_class), length = 0;
    char text[MPI::MAX_ERROR_STRING];
    MPI::Add_error_string(code, "out of cheese");
    MPI::Get_error_string(code, text, length);
    CHECK(std::strcmp(text, "out of cheese") == 0 && length == (int)std::strlen(text));
    CHECK(MPI::Get_error_class(code) == error_class);
    MPI::Exception exception(code), copy(exception);
    CHECK(copy.Get_error_code() == code && copy.Get_error_class() == error_class);
    CHECK(std::strcmp(copy.Get_error_string(), "out of cheese") == 0);
    MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
    MPI::Errhandler handler = MPI::Comm::Create_errhandler(on_comm);
    wanted_comm = comm;
    comm.Set_errhandler(handler);
    comm.Call_errhandler(code);
    CHECK(last_class == error_class);
    handler.Free();
    comm.Free();
}

/* Wrong keyval callbacks: what the bindings themselves raise on MPI::COMM_WORLD. */
static void test_errors_of_bindings()
{
    MPI::Errhandler handler = MPI::Comm::Create_errhandler(on_comm);
    wanted_comm = MPI::COMM_WORLD;
    MPI::COMM_WORLD.Set_errhandler(handler);
#ifdef OPEN_MPI // to MPICH's bindings they are predefined ones
    int before = comm_calls;
    MPI::Comm::Create_keyval((MPI::Comm::Copy_attr_function *)0, (MPI::Comm::Delete_attr_function *)0, 0);
    CHECK(comm_calls == before + 1 && last_class == MPI::ERR_ARG);
#endif
    MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_ARE_FATAL);
    handler.Free();
}

static void test()
{
    test_comm_handlers();
    test_exceptions_of_handlers();
    test_win_and_file();
    test_own_codes();
    test_errors_of_bindings();
}
