# SPDX-License-Identifier: BSD-3-Clause
"""Memory, buffers, addresses, handles and other ways into the library."""
import array
import ctypes

import numpy as np
from mpi4py import MPI

from support import NULL, Case, each


class Allocation(Case):
    @each(0, 1, 100, 1 << 20)
    def test_alloc(self, size):
        memory = MPI.Alloc_mem(size)
        self.assertEqual((len(memory), memory.nbytes), (size, size))
        self.assertFalse(memory.readonly)
        MPI.Free_mem(memory)

    def test_use(self):
        memory = MPI.Alloc_mem(80)
        numbers = np.frombuffer(memory, "d")
        numbers[:] = np.arange(10)
        MPI.COMM_SELF.Allreduce(MPI.IN_PLACE, numbers, MPI.SUM)
        self.assertArray(numbers, np.arange(10))
        del numbers
        MPI.Free_mem(memory)

    def test_with_info(self):
        info = MPI.Info.Create()
        info.Set("a_key_nobody_knows", "1")
        memory = MPI.Alloc_mem(16, info)
        MPI.Free_mem(memory)
        info.Free()


class Memory(Case):
    def test_empty(self):
        memory = MPI.memory()
        self.assertEqual((len(memory), memory.nbytes, memory.obj), (0, 0, None))

    def test_from_buffer(self):
        owner = bytearray(b"abcdef")
        memory = MPI.memory(owner)
        self.assertEqual((len(memory), memory.tobytes(), memory.readonly), (6, b"abcdef", False))
        memory[0] = ord("X")
        self.assertEqual(owner, b"Xbcdef")
        self.assertIs(memory.obj, owner)
        memory.release()
        self.assertEqual(len(memory), 0)

    def test_readonly(self):
        memory = MPI.memory.frombuffer(bytearray(b"abc"), readonly=True)
        self.assertTrue(memory.readonly)
        with self.assertRaises(TypeError):
            memory[0] = 1

    def test_toreadonly(self):
        self.assertTrue(MPI.memory(bytearray(3)).toreadonly().readonly)

    def test_allocate(self):
        memory = MPI.memory.allocate(10, clear=True)
        self.assertEqual(memory.tobytes(), bytes(10))

    def test_from_address(self):
        owner = np.arange(4, dtype="B")
        memory = MPI.memory.fromaddress(owner.ctypes.data, 4)
        self.assertEqual((memory.address, memory.tobytes()), (owner.ctypes.data, b"\0\1\2\3"))

    def test_slices(self):
        memory = MPI.memory(bytearray(b"abcdef"))
        self.assertEqual(memory[1:3].tobytes(), b"bc")
        memory[1:3] = b"XY"
        self.assertEqual(memory.tobytes(), b"aXYdef")

    def test_attributes(self):
        memory = MPI.memory(np.zeros(3))
        self.assertEqual((memory.format, memory.nbytes), ("B", 24))

    def test_communicates(self):
        out, into = MPI.memory(bytearray(b"hello")), MPI.memory.allocate(5)
        MPI.COMM_SELF.Sendrecv([out, MPI.CHAR], 0, 0, [into, MPI.CHAR], 0)
        self.assertEqual(into.tobytes(), b"hello")


class Addresses(Case):
    def test_get_address(self):
        numbers = np.zeros(10)
        self.assertEqual(MPI.Get_address(numbers), numbers.ctypes.data)

    def test_bottom(self):
        self.assertEqual(MPI.Get_address(MPI.BOTTOM), 0)

    @each(-8, 0, 8, 1 << 40)
    def test_arithmetic(self, offset):
        base = MPI.Get_address(np.zeros(1))
        moved = MPI.Aint_add(base, offset)
        self.assertEqual(moved - base, offset)
        self.assertEqual(MPI.Aint_diff(moved, base), offset)


class DLPack(Case):
    @each("b", "h", "i", "l", "B", "H", "I", "L", "f", "d", "F", "D")
    def test_numpy(self, code):
        class Tensor:
            """Only DLPack, no buffer interface."""

            def __init__(self, data):
                self.data = data

            def __dlpack__(self, stream=None):
                return self.data.__dlpack__()

            def __dlpack_device__(self):
                return self.data.__dlpack_device__()

        sent, received = np.arange(6).astype(code), np.zeros(6, code)
        MPI.COMM_SELF.Sendrecv(Tensor(sent), 0, 0, Tensor(received), 0)
        self.assertArray(received, sent)

    def test_cuda_array_interface_is_looked_up(self):
        class NoBuffer:
            pass

        with self.assertRaises(TypeError):
            MPI.COMM_SELF.Send(NoBuffer(), 0)

    def test_multidimensional(self):
        sent, received = np.arange(24.0).reshape(2, 3, 4), np.zeros((2, 3, 4))
        MPI.COMM_SELF.Sendrecv(sent, 0, 0, received, 0)
        self.assertArray(received, sent)

    def test_fortran_order(self):
        sent = np.asfortranarray(np.arange(6.0).reshape(2, 3))
        received = np.zeros((2, 3), order="F")
        MPI.COMM_SELF.Sendrecv(sent, 0, 0, received, 0)
        self.assertArray(received, sent)

    def test_not_contiguous_is_refused(self):
        with self.assertRaises((ValueError, BufferError)):
            MPI.COMM_SELF.Send(np.arange(10)[::2], 0)

    def test_read_only_is_refused(self):
        with self.assertRaises((ValueError, BufferError, TypeError)):
            MPI.COMM_SELF.Irecv(b"constant", 0)

    def test_array(self):
        received = array.array("d", [0.0] * 3)
        MPI.COMM_SELF.Sendrecv(array.array("d", [1, 2, 3]), 0, 0, received, 0)
        self.assertEqual(list(received), [1, 2, 3])


HANDLES = {
    "Comm": MPI.COMM_WORLD, "Group": MPI.GROUP_EMPTY, "Datatype": MPI.INT, "Op": MPI.SUM,
    "Info": MPI.INFO_ENV, "Errhandler": MPI.ERRORS_RETURN, "Request": MPI.REQUEST_NULL,
    "Message": MPI.MESSAGE_NO_PROC, "Win": MPI.WIN_NULL, "File": MPI.FILE_NULL,
}


class Handles(Case):
    @each(*HANDLES)
    def test_size_and_address(self, name):
        thing = HANDLES[name]
        self.assertEqual(MPI._sizeof(thing), MPI._sizeof(type(thing)))
        self.assertEqual(MPI._sizeof(thing), ctypes.sizeof(ctypes.c_void_p))
        stored = ctypes.c_void_p.from_address(MPI._addressof(thing)).value
        self.assertEqual(stored or 0, MPI._handleof(thing))

    @each(*HANDLES)
    def test_fortran(self, name):
        thing = HANDLES[name]
        self.assertEqual(type(thing).f2py(thing.py2f()), thing)

    @each(*[name for name in HANDLES])
    def test_copy_is_equal(self, name):
        thing = HANDLES[name]
        self.assertEqual(type(thing)(thing), thing)
        self.assertFalse(type(thing)(thing) != thing)

    @each(*range(len(NULL)))
    def test_null_by_fortran(self, number):
        self.assertEqual(type(NULL[number]).f2py(NULL[number].py2f()), NULL[number])

    def test_status(self):
        self.assertGreaterEqual(MPI._sizeof(MPI.Status()), 20)
        self.assertTrue(MPI._addressof(MPI.Status()))

    @each("COMM_WORLD", "COMM_SELF")
    def test_fortran_handles_differ(self, name):
        other = {"COMM_WORLD": MPI.COMM_SELF, "COMM_SELF": MPI.COMM_WORLD}[name]
        self.assertNotEqual(getattr(MPI, name).py2f(), other.py2f())
        self.assertNotEqual(getattr(MPI, name).py2f(), MPI.COMM_NULL.py2f())

    def test_foreign_object_compares_unequal(self):
        self.assertNotEqual(MPI.COMM_WORLD, 5)
        self.assertNotEqual(MPI.INT, "MPI_INT")

    @each("COMM_WORLD", "INT", "SUM", "INFO_NULL", "ERRORS_RETURN", "GROUP_EMPTY")
    def test_by_ctypes(self, name):
        """A C function found with dlsym takes the handle that mpi4py holds."""
        call = {"COMM_WORLD": "MPI_Comm_c2f", "INT": "MPI_Type_c2f", "SUM": "MPI_Op_c2f",
                "INFO_NULL": "MPI_Info_c2f", "ERRORS_RETURN": "MPI_Errhandler_c2f",
                "GROUP_EMPTY": "MPI_Group_c2f"}[name]
        library = ctypes.CDLL(MPI.__file__)
        function = getattr(library, call)
        function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_int
        thing = getattr(MPI, name)
        self.assertEqual(function(MPI._handleof(thing)), thing.py2f())

    def test_typecode(self):
        self.assertEqual(MPI._typecode(MPI.INT), "i")
        self.assertEqual(MPI._typecode(MPI.DOUBLE), "d")
        self.assertEqual(MPI._typedict["d"], MPI.DOUBLE)

    def test_pickle_object(self):
        copy = MPI.pickle.loads(MPI.pickle.dumps({"a": [1, 2]}))
        self.assertEqual(copy, {"a": [1, 2]})

    def test_lock(self):
        comm = MPI.COMM_SELF.Dup()
        with MPI._comm_lock(comm):
            self.assertTrue(MPI._comm_lock_table(comm))
        comm.Free()

    def test_context(self):
        comm, tag = MPI._commctx_intra(MPI.COMM_WORLD)
        self.assertEqual(MPI.Comm.Compare(comm, MPI.COMM_WORLD), MPI.CONGRUENT)
        self.assertGreaterEqual(tag, 0)
