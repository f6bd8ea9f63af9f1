# SPDX-License-Identifier: BSD-3-Clause
"""Attributes of communicators, datatypes and windows with their callbacks."""
from mpi4py import MPI

from support import Case, each


class Base:
    """The tests for one kind of object; copy() is None for windows."""

    kind = None

    def create(self):
        return MPI.COMM_SELF.Dup()

    def copy(self, thing):
        return thing.Dup()

    def setUp(self):
        self.object = self.create()
        self.keyvals = []

    def keyval(self, *arguments, **options):
        keyval = self.kind.Create_keyval(*arguments, **options)
        self.keyvals.append(keyval)
        return keyval

    def tearDown(self):
        if self.object:
            self.object.Free()
        for keyval in self.keyvals:
            self.assertEqual(self.kind.Free_keyval(keyval), MPI.KEYVAL_INVALID)

    def test_unset(self):
        self.assertIsNone(self.object.Get_attr(self.keyval()))

    @each(None, 0, 1, -1, 3.5, "text", (1, "two"), ids=["none", "zero", "one", "minus_one",
                                                        "float", "string", "tuple"])
    def test_value(self, *value):
        value = value[0] if len(value) == 1 else value
        keyval = self.keyval()
        self.object.Set_attr(keyval, value)
        self.assertEqual(self.object.Get_attr(keyval), value)

    def test_identity(self):
        keyval, value = self.keyval(), object()
        self.object.Set_attr(keyval, value)
        self.assertIs(self.object.Get_attr(keyval), value)

    def test_replace(self):
        deleted = []
        keyval = self.keyval(delete_fn=lambda o, k, v: deleted.append(v))
        self.object.Set_attr(keyval, "one")
        self.object.Set_attr(keyval, "two")
        self.assertEqual((deleted, self.object.Get_attr(keyval)), (["one"], "two"))

    def test_delete(self):
        deleted = []
        keyval = self.keyval(delete_fn=lambda o, k, v: deleted.append((o == self.object, k, v)))
        self.object.Set_attr(keyval, "value")
        self.object.Delete_attr(keyval)
        self.assertEqual(deleted, [(True, keyval, "value")])
        self.assertIsNone(self.object.Get_attr(keyval))

    def test_delete_at_free(self):
        deleted = []
        keyval = self.keyval(delete_fn=lambda o, k, v: deleted.append((k, v)))
        self.object.Set_attr(keyval, "value")
        self.object.Free()
        self.assertEqual(deleted, [(keyval, "value")])

    def test_keyvals_differ(self):
        keyvals = [self.keyval() for _ in range(20)]
        self.assertEqual(len(set(keyvals)), 20)
        for number, keyval in enumerate(keyvals):
            self.object.Set_attr(keyval, number)
        self.assertEqual([self.object.Get_attr(k) for k in keyvals], list(range(20)))

    def test_is_no_predefined_keyval(self):
        predefined = {MPI.TAG_UB, getattr(MPI, "HOST", MPI.IO), MPI.IO, MPI.WTIME_IS_GLOBAL, MPI.UNIVERSE_SIZE,
                      MPI.APPNUM, MPI.LASTUSEDCODE, MPI.KEYVAL_INVALID, MPI.WIN_BASE,
                      MPI.WIN_SIZE, MPI.WIN_DISP_UNIT, MPI.WIN_CREATE_FLAVOR, MPI.WIN_MODEL}
        self.assertFalse(predefined & {self.keyval() for _ in range(50)})

    def test_free_keyval_with_attribute(self):
        deleted = []
        keyval = self.kind.Create_keyval(delete_fn=lambda o, k, v: deleted.append(v))
        self.object.Set_attr(keyval, "value")
        self.assertEqual(self.kind.Free_keyval(keyval), MPI.KEYVAL_INVALID)
        self.assertEqual(deleted, [])
        self.object.Free()
        self.assertEqual(deleted, ["value"])

    def test_invalid_keyval(self):
        with self.assertRaises(MPI.Exception):
            self.object.Get_attr(MPI.KEYVAL_INVALID)

    def test_predefined_cannot_be_freed(self):
        with self.assertRaises(MPI.Exception):
            self.kind.Free_keyval(MPI.TAG_UB)

    def test_nopython(self):
        keyval = self.keyval(nopython=True)
        for value in (0, 42, (1 << 62) + 5):
            self.object.Set_attr(keyval, value)
            self.assertEqual(self.object.Get_attr(keyval), value)

    def test_many_keyvals(self):
        for number in range(300):
            keyval = self.kind.Create_keyval(delete_fn=lambda o, k, v: None)
            self.object.Set_attr(keyval, number)
            self.assertEqual(self.object.Get_attr(keyval), number)
            self.object.Delete_attr(keyval)
            self.kind.Free_keyval(keyval)

    def test_calls_mpi_in_callback(self):
        sizes = []
        keyval = self.keyval(delete_fn=lambda o, k, v: sizes.append(MPI.COMM_SELF.Get_size()))
        self.object.Set_attr(keyval, 1)
        self.object.Delete_attr(keyval)
        self.assertEqual(sizes, [1])


class Copying(Base):
    """Objects that can be duplicated, so that copy callbacks run."""

    def test_not_copied_by_default(self):
        keyval = self.keyval()
        self.object.Set_attr(keyval, 1)
        other = self.copy(self.object)
        self.assertIsNone(other.Get_attr(keyval))
        other.Free()

    def test_copied(self):
        keyval = self.keyval(copy_fn=lambda o, k, v: v)
        value = ["list"]
        self.object.Set_attr(keyval, value)
        other = self.copy(self.object)
        self.assertIs(other.Get_attr(keyval), value)
        other.Free()

    def test_copied_true(self):
        keyval = self.keyval(copy_fn=True)
        self.object.Set_attr(keyval, "v")
        other = self.copy(self.object)
        self.assertEqual(other.Get_attr(keyval), "v")
        other.Free()

    def test_copy_arguments(self):
        seen = []

        def copy(thing, keyval, value):
            seen.append((thing == self.object, keyval, value))
            return value * 2

        keyval = self.keyval(copy_fn=copy)
        self.object.Set_attr(keyval, 21)
        other = self.copy(self.object)
        self.assertEqual(seen, [(True, keyval, 21)])
        self.assertEqual((other.Get_attr(keyval), self.object.Get_attr(keyval)), (42, 21))
        other.Free()

    def test_copy_refused(self):
        keyval = self.keyval(copy_fn=lambda o, k, v: NotImplemented)
        self.object.Set_attr(keyval, 1)
        other = self.copy(self.object)
        self.assertIsNone(other.Get_attr(keyval))
        other.Free()

    def test_copy_fails(self):
        def copy(thing, keyval, value):
            raise MPI.Exception(MPI.ERR_OTHER)

        keyval = self.keyval(copy_fn=copy)
        self.object.Set_attr(keyval, 1)
        with self.assertRaises(MPI.Exception):
            self.copy(self.object)

    def test_delete_fails(self):
        failing = [True]

        def delete(thing, keyval, value):
            if failing[0]:
                raise MPI.Exception(MPI.ERR_OTHER)

        keyval = self.keyval(delete_fn=delete)
        self.object.Set_attr(keyval, 1)
        with self.assertRaises(MPI.Exception):
            self.object.Delete_attr(keyval)
        failing[0] = False

    def test_deleted_from_copy(self):
        deleted = []
        keyval = self.keyval(copy_fn=lambda o, k, v: v + 1,
                             delete_fn=lambda o, k, v: deleted.append(v))
        self.object.Set_attr(keyval, 1)
        other = self.copy(self.object)
        other.Free()
        self.assertEqual(deleted, [2])
        self.object.Free()
        self.assertEqual(deleted, [2, 1])

    def test_nopython_copied(self):
        keyval = self.keyval(copy_fn=True, nopython=True)
        self.object.Set_attr(keyval, 77)
        other = self.copy(self.object)
        self.assertEqual(other.Get_attr(keyval), 77)
        other.Free()


class OnComm(Copying, Case):
    kind = MPI.Comm


class OnDatatype(Copying, Case):
    kind = MPI.Datatype

    def create(self):
        return MPI.INT.Create_contiguous(2)


class OnPredefinedDatatype(Copying, Case):
    kind = MPI.Datatype

    def create(self):
        return MPI.DOUBLE.Dup()


class OnWin(Base, Case):
    kind = MPI.Win

    def create(self):
        return MPI.Win.Create(bytearray(16), 1, MPI.INFO_NULL, MPI.COMM_SELF)


class OnIntercomm(Copying, Case):
    """Attributes set on all ranks of an intercommunicator."""

    kind = MPI.Comm

    def setUp(self):
        if MPI.COMM_WORLD.Get_size() != 2:
            self.skipTest("needs exactly two ranks")
        super().setUp()

    def create(self):
        return MPI.COMM_SELF.Create_intercomm(0, MPI.COMM_WORLD, 1 - MPI.COMM_WORLD.Get_rank(), 9)


class WorldAttributes(Case):
    def test_on_world(self):
        keyval = MPI.Comm.Create_keyval()
        MPI.COMM_WORLD.Set_attr(keyval, "w")
        self.assertEqual(MPI.COMM_WORLD.Get_attr(keyval), "w")
        MPI.COMM_WORLD.Delete_attr(keyval)
        MPI.Comm.Free_keyval(keyval)

    def test_predefined_cannot_be_set(self):
        with self.assertRaises(MPI.Exception):
            MPI.COMM_WORLD.Set_attr(MPI.TAG_UB, 5)

    def test_on_named_datatype(self):
        keyval = MPI.Datatype.Create_keyval()
        MPI.INT.Set_attr(keyval, "i")
        self.assertEqual(MPI.INT.Get_attr(keyval), "i")
        MPI.INT.Delete_attr(keyval)
        MPI.Datatype.Free_keyval(keyval)
