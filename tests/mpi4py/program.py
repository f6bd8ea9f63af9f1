# SPDX-License-Identifier: BSD-3-Clause
"""Does what an interpreter brings to MPI: a module that is loaded late, Python functions that MPI calls, its errors as exceptions, and
objects of unknown lengths. Rank 0 prints what any MPI gives; run it on two ranks."""
import array
import os
import sys

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
lines = []


def say(name, value):
    """Adds what all ranks found to what rank 0 prints."""
    lines.append(f"{name}: {world.gather(value)}")


def objects():
    """Pickled objects, which mpi4py probes for and receives into memory that it allocates."""
    right, left = (rank + 1) % size, (rank - 1) % size
    request = world.isend({"from": rank, "long": "x" * 100_000}, right, 3)
    status = MPI.Status()
    got = world.recv(source=left, tag=MPI.ANY_TAG, status=status)
    request.wait()
    say("objects", [got["from"], len(got["long"]), status.Get_source(), status.Get_tag()])
    say("objects of a collective", world.alltoall([(rank, each) for each in range(size)]))
    say("object from None", world.bcast(None if rank else [1, None, "two"]))


def datatypes():
    """Buffers with datatypes that are made here, and what they are decoded to."""
    column = MPI.INT.Create_vector(3, 1, 3).Commit()
    matrix, got = array.array("i", range(9)), array.array("i", [0] * 3)
    world.Sendrecv([matrix, 1, column], (rank + 1) % size, recvbuf=[got, MPI.INT], source=(rank - 1) % size)
    say("a column", list(got))
    say("its envelope", [column.Get_envelope()[3] == MPI.COMBINER_VECTOR, column.Get_size(), column.Get_extent()])
    column.Free()
    say("sizes", [getattr(MPI, name).Get_size() for name in ("CHAR", "DOUBLE", "INT64_T", "C_FLOAT_COMPLEX", "DOUBLE_INT")])


def functions():
    """Python functions as operations, and as callbacks of attributes and generalized requests."""
    def larger(a, b, datatype):
        b[:] = bytes(map(max, a, b)) if datatype == MPI.BYTE else bytes(len(b))

    operation, got = MPI.Op.Create(larger, commute=True), bytearray(2)
    world.Allreduce([bytes([rank, 9 - rank]), MPI.BYTE], [got, MPI.BYTE], operation)
    say("an operation", [list(got), operation.Is_commutative()])
    operation.Free()
    calls = []
    key = MPI.Comm.Create_keyval(copy_fn=lambda comm, key, value: value + 1, delete_fn=lambda comm, key, value: calls.append(value))
    first = world.Dup()
    first.Set_attr(key, 40)
    second = first.Dup()
    calls.append(second.Get_attr(key))
    second.Free()
    first.Free()
    MPI.Comm.Free_keyval(key)
    request = MPI.Grequest.Start(lambda status: status.Set_elements(MPI.INT, 5), lambda: calls.append("free"), None)
    request.Complete()
    status = MPI.Status()
    request.Wait(status)
    say("callbacks", calls + [status.Get_elements(MPI.INT)])


def errors():
    """Exceptions with MPI's classes, and classes that are added."""
    caught = []
    for call in (lambda: world.Send(b"", dest=size), lambda: world.Send([b"", 1, MPI.DATATYPE_NULL], dest=0),
                 lambda: MPI.File.Open(MPI.COMM_SELF, "/nowhere/at/all"), MPI.COMM_NULL.Get_size):
        try:
            call()
        except MPI.Exception as error:
            caught.append(error.Get_error_class())
    wanted = [MPI.ERR_RANK, MPI.ERR_TYPE, MPI.ERR_NO_SUCH_FILE, MPI.ERR_COMM]
    added = MPI.Add_error_class()
    MPI.Add_error_string(added, "one of ours")
    say("errors", [caught == wanted, MPI.Get_error_string(added), added > MPI.ERR_LASTCODE])


def windows_and_files():
    """A window of this rank's memory, and a file with a view."""
    memory = array.array("i", [0] * size)
    hints = MPI.Info.Create()
    hints["no_locks"] = "false"
    window = MPI.Win.Create(memory, memory.itemsize, hints, comm=world)
    window.Fence()
    for target in range(size):
        window.Put([array.array("i", [10 + rank]), MPI.INT], target, rank)
    window.Fence()
    window.Free()
    hints.Free()
    say("a window", list(memory))
    path = os.path.join(os.environ["MPI_TEST_DIR"], "file")
    file = MPI.File.Open(world, path, MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE)
    apart = MPI.INT.Create_vector(2, 1, size).Commit()
    file.Set_view(rank * 4, MPI.INT, apart)
    file.Write_all(array.array("i", [rank, rank + 10]))
    file.Set_view(0, MPI.INT, MPI.INT)
    got = array.array("i", [0] * 2 * size)
    file.Read_at_all(0, got)
    say("a file", [list(got), file.Get_size(), file.Get_amode() == MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE])
    file.Close()
    apart.Free()


def topologies():
    """Communicators of parts and grids, and the groups behind them."""
    grid = world.Create_cart([size], periods=[True])
    say("a grid", [grid.Shift(0, 1), grid.Get_topology() == MPI.CART, grid.Get_topo()])
    part = world.Split(rank % 2, -rank)
    say("a part", [part.Get_size(), MPI.Group.Translate_ranks(part.Get_group(), [0], world.Get_group()),
                   MPI.Group.Compare(part.Get_group(), MPI.COMM_SELF.Get_group()) == MPI.IDENT])
    part.Free()
    grid.Free()


for part_of in (objects, datatypes, functions, errors, windows_and_files, topologies):
    part_of()
if rank == 0:
    print("\n".join(lines), flush=True)
sys.exit(0)
