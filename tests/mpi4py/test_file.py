# SPDX-License-Identifier: BSD-3-Clause
"""Files: every way to read and write, views, pointers, sizes, modes, information."""
import os

import numpy as np
from mpi4py import MPI

from support import Case, CommCase, duplicate, each, self_

DIRECTORY = os.environ["MPI_TEST_DIR"]
RDWR = MPI.MODE_CREATE | MPI.MODE_RDWR


def finish(request, status=None):
    if request is not None:
        request.Wait(status)


class FileCase(CommCase):
    """self.file is new, empty and open for both on self.comm."""

    make = staticmethod(duplicate)

    def setUp(self):
        super().setUp()
        name = f"{self.id()}.{MPI.COMM_WORLD.Get_rank() if self.size == 1 else 'all'}"
        self.path = os.path.join(DIRECTORY, name)
        self.file = MPI.File.Open(self.comm, self.path, RDWR | MPI.MODE_DELETE_ON_CLOSE)

    def tearDown(self):
        if self.file:
            self.file.Close()
        super().tearDown()

    def settle(self):
        """Make what was written visible to the others."""
        self.file.Sync()
        self.comm.Barrier()
        self.file.Sync()

    def fill(self, items=8):
        """Item n of the file is n; items for each rank."""
        if self.rank == 0:
            self.file.Write_at(0, np.arange(items * self.size, dtype="i"))
        self.settle()


EXPLICIT = ["{}_at", "{}_at_all", "I{}_at", "I{}_at_all", "split"]
INDIVIDUAL = ["{}", "{}_all", "I{}", "I{}_all", "split"]
SHARED = ["{}_shared", "I{}_shared", "{}_ordered", "split"]


class Access(FileCase):
    """Items of each rank at a place of its own."""

    number = 8

    def call(self, template, verb, where, buffer, status):
        """One access of the kind that the template says."""
        if template == "split":
            middle = {"explicit": "_at_all", "individual": "_all", "shared": "_ordered"}[where[0]]
            begin = getattr(self.file, f"{verb}{middle}_begin")
            begin(*where[1:], buffer)
            getattr(self.file, f"{verb}{middle}_end")(buffer, status)
            return
        name = template.format(verb.lower() if template.startswith("I") else verb)
        method = getattr(self.file, name)
        if name.startswith("I"):
            finish(method(*where[1:], buffer), status)
        else:
            method(*where[1:], buffer, status)

    def mine(self):
        return np.arange(self.number, dtype="i") + self.number * self.rank

    def check_status(self, status):
        self.assertEqual(status.Get_count(MPI.INT), self.number)
        self.assertEqual(status.Get_elements(MPI.INT), self.number)

    def check_file(self):
        self.settle()
        whole = np.zeros(self.number * self.size, "i")
        self.file.Read_at(0, whole)
        self.assertArray(whole, np.arange(self.number * self.size))

    @each(*EXPLICIT)
    def test_write_explicit(self, template):
        status = MPI.Status()
        where = ("explicit", 4 * self.number * self.rank)
        self.call(template, "Write", where, self.mine(), status)
        self.check_status(status)
        self.check_file()

    @each(*EXPLICIT)
    def test_read_explicit(self, template):
        self.fill(self.number)
        status, got = MPI.Status(), np.zeros(self.number, "i")
        self.call(template, "Read", ("explicit", 4 * self.number * self.rank), got, status)
        self.check_status(status)
        self.assertArray(got, self.mine())

    @each(*INDIVIDUAL)
    def test_write_individual(self, template):
        self.file.Seek(4 * self.number * self.rank)
        status = MPI.Status()
        self.call(template, "Write", ("individual",), self.mine(), status)
        self.check_status(status)
        self.assertEqual(self.file.Get_position(), 4 * self.number * (self.rank + 1))
        self.check_file()

    @each(*INDIVIDUAL)
    def test_read_individual(self, template):
        self.fill(self.number)
        self.file.Seek(4 * self.number * self.rank)
        status, got = MPI.Status(), np.zeros(self.number, "i")
        self.call(template, "Read", ("individual",), got, status)
        self.check_status(status)
        self.assertArray(got, self.mine())

    @each(*SHARED)
    def test_write_shared(self, template):
        self.call(template, "Write", ("shared",), self.mine(), None)
        self.settle()
        whole = np.zeros(self.number * self.size, "i")
        self.file.Read_at(0, whole)
        blocks = sorted(whole[self.number * n] for n in range(self.size))
        self.assertEqual(blocks, [self.number * n for n in range(self.size)])
        self.assertEqual(self.file.Get_position_shared(), 4 * self.number * self.size)
        if template in ("split", "{}_ordered"):
            self.assertArray(whole, np.arange(self.number * self.size))
        self.comm.Barrier()

    @each(*SHARED)
    def test_read_shared(self, template):
        self.fill(self.number)
        got = np.zeros(self.number, "i")
        self.call(template, "Read", ("shared",), got, None)
        firsts = sorted(self.comm.allgather(int(got[0])))
        self.assertEqual(firsts, [self.number * n for n in range(self.size)])
        if template in ("split", "{}_ordered"):
            self.assertArray(got, self.mine())


class AccessSelf(Access):
    make = staticmethod(self_)


class Views(FileCase):
    def test_default(self):
        displacement, etype, filetype, representation = self.file.Get_view()
        self.assertEqual((displacement, representation), (0, "native"))
        self.assertEqual((etype, filetype), (MPI.BYTE, MPI.BYTE))

    @each("INT", "DOUBLE", "BYTE", "FLOAT_INT")
    def test_elementary(self, name):
        etype = getattr(MPI, name)
        self.file.Set_view(16, etype)
        displacement, got, filetype, _ = self.file.Get_view()
        self.assertEqual((displacement, got, filetype), (16, etype, etype))

    def test_interleaved(self):
        """Rank r has every size-th item, from item r on."""
        filetype = MPI.INT.Create_vector(8, 1, self.size).Commit()
        self.file.Set_view(4 * self.rank, MPI.INT, filetype)
        self.file.Write_all(np.arange(8, dtype="i") * self.size + self.rank)
        filetype.Free()
        self.file.Set_view(0, MPI.INT)
        self.settle()
        whole = np.zeros(8 * self.size, "i")
        self.file.Read_at_all(0, whole)
        self.assertArray(whole, np.arange(8 * self.size))

    def test_derived_is_returned(self):
        filetype = MPI.INT.Create_vector(2, 1, 3).Commit()
        self.file.Set_view(0, MPI.INT, filetype)
        _, etype, got, _ = self.file.Get_view()
        self.assertEqual(etype, MPI.INT)
        # A type with the same typemap, in whatever words.
        self.assertEqual((got.Get_size(), got.Get_extent(), got.Get_true_extent()),
                         (8, (0, 16), (0, 16)))
        self.assertFalse(got.is_named)
        got.Free()
        filetype.Free()

    def test_subarray(self):
        """Each rank writes its rows of a matrix."""
        filetype = MPI.DOUBLE.Create_subarray([2 * self.size, 4], [2, 4], [2 * self.rank, 0])
        filetype.Commit()
        self.file.Set_view(0, MPI.DOUBLE, filetype)
        self.file.Write_all(np.full((2, 4), float(self.rank)))
        filetype.Free()
        self.file.Set_view(0, MPI.DOUBLE)
        self.settle()
        matrix = np.zeros((2 * self.size, 4))
        self.file.Read_at_all(0, matrix)
        self.assertArray(matrix[:, 0], np.repeat(np.arange(self.size), 2))

    def test_offsets_count_elements(self):
        self.fill()
        self.file.Set_view(0, MPI.INT)
        got = np.zeros(1, "i")
        self.file.Read_at(5, got)
        self.assertEqual(got[0], 5)
        self.file.Seek(3)
        self.assertEqual(self.file.Get_position(), 3)
        self.assertEqual(self.file.Get_byte_offset(3), 12)

    def test_displacement(self):
        self.fill()
        self.file.Set_view(8, MPI.INT)
        got = np.zeros(1, "i")
        self.file.Read_at(1, got)
        self.assertEqual(got[0], 3)
        self.assertEqual(self.file.Get_byte_offset(1), 12)

    @each("INT", "DOUBLE", "SHORT")
    def test_type_extent(self, name):
        datatype = getattr(MPI, name)
        self.assertEqual(self.file.Get_type_extent(datatype), datatype.Get_extent()[1])

    def test_bad_representation(self):
        with self.assertRaises(MPI.Exception):
            self.file.Set_view(0, MPI.INT, None, "no such representation")


class Pointers(FileCase):
    def test_seek(self):
        self.fill()
        size = self.file.Get_size()
        for offset, whence, expected in ((4, MPI.SEEK_SET, 4), (8, MPI.SEEK_CUR, 12),
                                         (-4, MPI.SEEK_END, size - 4)):
            self.file.Seek(offset, whence)
            self.assertEqual(self.file.Get_position(), expected)

    def test_seek_shared(self):
        self.fill()
        self.file.Seek_shared(8, MPI.SEEK_SET)
        self.assertEqual(self.file.Get_position_shared(), 8)
        self.comm.Barrier()
        self.file.Seek_shared(0, MPI.SEEK_END)
        self.assertEqual(self.file.Get_position_shared(), self.file.Get_size())
        self.comm.Barrier()

    def test_read_at_end(self):
        self.fill()
        status = MPI.Status()
        self.file.Read_at(self.file.Get_size() - 4, np.zeros(10, "i"), status)
        self.assertEqual(status.Get_count(MPI.INT), 1)

    def test_seek_before_start(self):
        with self.assertRaises(MPI.Exception):
            self.file.Seek(-10, MPI.SEEK_SET)


class Properties(FileCase):
    def test_group(self):
        group, own = self.file.Get_group(), self.comm.Get_group()
        self.assertEqual(MPI.Group.Compare(group, own), MPI.IDENT)
        group.Free()
        own.Free()
        self.file.group.Free()

    def test_amode(self):
        self.assertEqual(self.file.Get_amode(), RDWR | MPI.MODE_DELETE_ON_CLOSE)
        self.assertEqual(self.file.amode, RDWR | MPI.MODE_DELETE_ON_CLOSE)

    @each(0, 1, 4096, 100_000)
    def test_size(self, size):
        self.file.Set_size(size)
        self.assertEqual(self.file.Get_size(), size)
        self.assertEqual(self.file.size, size)

    def test_preallocate(self):
        self.file.Preallocate(2048)
        self.assertGreaterEqual(self.file.Get_size(), 2048)

    @each(True, False)
    def test_atomicity(self, flag):
        self.file.Set_atomicity(flag)
        self.assertIs(self.file.Get_atomicity(), flag)
        self.assertIs(self.file.atomicity, flag)

    def test_info(self):
        info = self.file.Get_info()
        self.assertNotEqual(info, MPI.INFO_NULL)
        self.file.Set_info(info)
        info.Free()
        self.file.info.Free()

    def test_sync(self):
        self.file.Sync()

    def test_fortran(self):
        self.assertEqual(MPI.File.f2py(self.file.py2f()), self.file)

    def test_close(self):
        self.file.Close()
        self.assertEqual(self.file, MPI.FILE_NULL)
        self.assertFalse(self.file)


MODES = {
    "rdonly": MPI.MODE_RDONLY, "wronly": MPI.MODE_WRONLY, "rdwr": MPI.MODE_RDWR,
    "append": MPI.MODE_WRONLY | MPI.MODE_APPEND, "unique": MPI.MODE_RDWR | MPI.MODE_UNIQUE_OPEN,
    "create": MPI.MODE_RDWR | MPI.MODE_CREATE, "sequential": MPI.MODE_RDONLY | MPI.MODE_SEQUENTIAL,
}


class Opening(Case):
    def setUp(self):
        self.path = os.path.join(DIRECTORY, f"{self.id()}.{MPI.COMM_WORLD.Get_rank()}")
        with open(self.path, "wb") as file:
            file.write(b"0123456789")

    def tearDown(self):
        if os.path.exists(self.path):
            os.unlink(self.path)

    @each(*MODES)
    def test_mode(self, name):
        file = MPI.File.Open(MPI.COMM_SELF, self.path, MODES[name])
        self.assertEqual(file.Get_amode(), MODES[name])
        self.assertEqual(file.Get_size(), 10)
        file.Close()

    def test_append(self):
        file = MPI.File.Open(MPI.COMM_SELF, self.path, MODES["append"])
        file.Write(b"ab")
        file.Close()
        with open(self.path, "rb") as written:
            self.assertEqual(written.read(), b"0123456789ab")

    def test_exclusive(self):
        self.assertError((MPI.ERR_FILE_EXISTS, MPI.ERR_IO), MPI.File.Open, MPI.COMM_SELF,
                         self.path, RDWR | MPI.MODE_EXCL)

    def test_missing(self):
        self.assertError(MPI.ERR_NO_SUCH_FILE, MPI.File.Open, MPI.COMM_SELF,
                         self.path + ".missing", MPI.MODE_RDONLY)

    def test_contradiction(self):
        self.assertError((MPI.ERR_AMODE, MPI.ERR_ARG), MPI.File.Open, MPI.COMM_SELF, self.path,
                         MPI.MODE_RDONLY | MPI.MODE_WRONLY)

    def test_delete(self):
        MPI.File.Delete(self.path)
        self.assertFalse(os.path.exists(self.path))

    def test_delete_missing(self):
        self.assertError(MPI.ERR_NO_SUCH_FILE, MPI.File.Delete, self.path + ".missing")

    def test_delete_on_close(self):
        file = MPI.File.Open(MPI.COMM_SELF, self.path,
                             MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE)
        file.Close()
        self.assertFalse(os.path.exists(self.path))

    def test_write_to_read_only(self):
        file = MPI.File.Open(MPI.COMM_SELF, self.path, MPI.MODE_RDONLY)
        with self.assertRaises(MPI.Exception):
            file.Write(b"x")
        file.Close()

    def test_with_info(self):
        info = MPI.Info.Create()
        info.Set("a_hint_nobody_knows", "1")
        file = MPI.File.Open(MPI.COMM_SELF, self.path, MPI.MODE_RDONLY, info)
        file.Close()
        info.Free()

    def test_null_size(self):
        self.assertError(MPI.ERR_FILE, MPI.FILE_NULL.Get_size)

    def test_many(self):
        for _ in range(50):
            MPI.File.Open(MPI.COMM_SELF, self.path).Close()


class Representation(Case):
    def test_register(self):
        name = "mpi4py tests " + str(MPI.Wtime())
        MPI.Register_datarep(name, None, None, lambda datatype: datatype.Get_size())

    def test_register_twice(self):
        name = "mpi4py tests twice " + str(MPI.Wtime())
        MPI.Register_datarep(name, None, None, lambda datatype: datatype.Get_size())
        with self.assertRaises(MPI.Exception):
            MPI.Register_datarep(name, None, None, lambda datatype: datatype.Get_size())

    def test_external32(self):
        path = os.path.join(DIRECTORY, f"{self.id()}.{MPI.COMM_WORLD.Get_rank()}")
        file = MPI.File.Open(MPI.COMM_SELF, path, RDWR | MPI.MODE_DELETE_ON_CLOSE)
        try:
            file.Set_view(0, MPI.INT, None, "external32")
            self.assertEqual(file.Get_view()[3], "external32")
            file.Write(np.array([1, 2], "i"))
            back = np.zeros(2, "i")
            file.Read_at(0, back)
            self.assertArray(back, [1, 2])
        finally:
            file.Close()
