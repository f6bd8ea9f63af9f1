// SPDX-License-Identifier: BSD-3-Clause
// The plugin of late.c. Its first calls of the C++ bindings are those that need preparation.
#include <mpi.h>

#include <cstdio>

static int failures, calls, state;

static void check(bool holds, const char *text)
{
    if (!holds) {
        std::fprintf(stderr, "late: not true: %s\n", text);
        failures++;
    }
}

static void on_error(MPI::Comm &comm, int *code, ...)
{
    calls++;
    check(comm.Get_size() == 1 && MPI::Get_error_class(*code) == MPI::ERR_TAG, "the handler's arguments");
}

static int copy(const MPI::Comm &old, int, void *extra, void *in, void *out, bool &flag)
{
    calls++;
    check(old.Get_size() == 1 && extra == &state, "the copy function's arguments");
    *(void **)out = in;
    flag = true;
    return MPI::SUCCESS;
}

static int forget(MPI::Comm &, int, void *, void *) { calls++; return MPI::SUCCESS; }

static void largest(const void *in, void *inout, int, const MPI::Datatype &)
{
    if (*static_cast<const int *>(in) > *static_cast<int *>(inout))
        *static_cast<int *>(inout) = *static_cast<const int *>(in);
}

extern "C" int use_bindings()
{
    MPI::Errhandler handler = MPI::Comm::Create_errhandler(on_error);
    MPI::Intracomm comm = MPI::COMM_SELF.Dup();
    comm.Set_errhandler(handler);
    comm.Call_errhandler(MPI::ERR_TAG);
    check(calls == 1, "the handler was called");
    handler.Free();
    int keyval = MPI::Comm::Create_keyval(copy, forget, &state);
    comm.Set_attr(keyval, &state);
    MPI::Intracomm other = comm.Dup();
    other.Free();
    check(calls == 3, "the attribute was copied and deleted");
    comm.Free();
    MPI::Comm::Free_keyval(keyval);
    MPI::Op op;
    op.Init(largest, true);
    int mine = MPI::COMM_WORLD.Get_rank(), most = -1;
    MPI::COMM_WORLD.Allreduce(&mine, &most, 1, MPI::INT, op);
    check(most == MPI::COMM_WORLD.Get_size() - 1, "the reduction's result");
    op.Free();
    return failures;
}
