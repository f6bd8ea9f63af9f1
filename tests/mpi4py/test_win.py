# SPDX-License-Identifier: BSD-3-Clause
"""One-sided communication: windows of each kind, all operations, synchronization."""
import operator

import numpy as np
from mpi4py import MPI

from support import CommCase, duplicate, each, self_

FLAVORS = {"Create": MPI.WIN_FLAVOR_CREATE, "Allocate": MPI.WIN_FLAVOR_ALLOCATE,
           "Allocate_shared": MPI.WIN_FLAVOR_SHARED, "Create_dynamic": MPI.WIN_FLAVOR_DYNAMIC}
OPERATIONS = {"SUM": operator.add, "PROD": operator.mul, "MAX": max, "MIN": min,
              "BAND": operator.and_, "BOR": operator.or_, "BXOR": operator.xor,
              "REPLACE": lambda old, new: new}


class WinCase(CommCase):
    """self.win shows self.items, 8 long integers a rank: 100 * rank + n."""

    make = staticmethod(duplicate)
    flavor = "Allocate"

    def setUp(self):
        super().setUp()
        if self.flavor == "Create":
            self.items = np.zeros(8, "l")
            self.win = MPI.Win.Create(self.items, 8, MPI.INFO_NULL, self.comm)
        else:
            self.win = getattr(MPI.Win, self.flavor)(64, 8, MPI.INFO_NULL, self.comm)
            self.items = np.frombuffer(self.win.tomemory(), "l")
        self.win.Lock(self.rank)
        self.items[:] = 100 * self.rank + np.arange(8)
        self.win.Unlock(self.rank)
        self.comm.Barrier()

    def tearDown(self):
        self.items = None
        if self.win:
            self.win.Free()
        self.assertEqual(self.win, MPI.WIN_NULL)
        super().tearDown()

    def expected(self, rank):
        return 100 * rank + np.arange(8)


class WinAccess(WinCase):
    def test_get_fence(self):
        got = np.zeros(8, "l")
        self.win.Fence(MPI.MODE_NOPRECEDE)
        self.win.Get(got, self.right)
        self.win.Fence(MPI.MODE_NOSTORE | MPI.MODE_NOPUT | MPI.MODE_NOSUCCEED)
        self.assertArray(got, self.expected(self.right))

    def test_put_fence(self):
        self.win.Fence()
        self.win.Put(np.full(8, self.rank), self.right)
        self.win.Fence()
        self.assertArray(self.items, [self.left] * 8)

    @each("LOCK_SHARED", "LOCK_EXCLUSIVE")
    def test_get_lock(self, name):
        got = np.zeros(8, "l")
        self.win.Lock(self.right, getattr(MPI, name))
        self.win.Get(got, self.right)
        self.win.Unlock(self.right)
        self.assertArray(got, self.expected(self.right))

    def test_lock_nocheck(self):
        got = np.zeros(8, "l")
        self.win.Lock(self.right, MPI.LOCK_SHARED, MPI.MODE_NOCHECK)
        self.win.Get(got, self.right)
        self.win.Unlock(self.right)
        self.assertArray(got, self.expected(self.right))

    def test_displacement_and_count(self):
        got = np.zeros(3, "l")
        self.win.Lock(self.right, MPI.LOCK_SHARED)
        self.win.Get(got, self.right, 4)
        self.win.Unlock(self.right)
        self.assertArray(got, self.expected(self.right)[4:7])

    def test_target_datatype(self):
        every_other = MPI.LONG.Create_vector(4, 1, 2).Commit()
        got = np.zeros(4, "l")
        self.win.Lock(self.right, MPI.LOCK_SHARED)
        self.win.Get(got, self.right, (0, 1, every_other))
        self.win.Unlock(self.right)
        every_other.Free()
        self.assertArray(got, self.expected(self.right)[::2])

    @each(*OPERATIONS)
    def test_accumulate(self, name):
        self.win.Lock(self.right)
        self.win.Accumulate(np.full(8, 6), self.right, op=getattr(MPI, name))
        self.win.Unlock(self.right)
        self.comm.Barrier()
        self.win.Lock(self.rank)
        got = self.items.copy()
        self.win.Unlock(self.rank)
        self.assertArray(got, [OPERATIONS[name](int(v), 6) for v in self.expected(self.rank)])

    @each(*OPERATIONS, "NO_OP")
    def test_get_accumulate(self, name):
        old = np.zeros(8, "l")
        self.win.Lock(self.right)
        self.win.Get_accumulate(np.full(8, 6), old, self.right, op=getattr(MPI, name))
        self.win.Unlock(self.right)
        self.comm.Barrier()
        self.assertArray(old, self.expected(self.right))
        self.win.Lock(self.rank)
        got = self.items.copy()
        self.win.Unlock(self.rank)
        function = OPERATIONS.get(name, lambda kept, new: kept)
        self.assertArray(got, [function(int(v), 6) for v in self.expected(self.rank)])

    @each("SUM", "REPLACE", "MAX", "NO_OP")
    def test_fetch_and_op(self, name):
        old = np.zeros(1, "l")
        self.win.Lock(self.right)
        self.win.Fetch_and_op(np.array([5]), old, self.right, 2, getattr(MPI, name))
        self.win.Unlock(self.right)
        self.assertEqual(old[0], 100 * self.right + 2)

    def test_fetch_and_add_counts(self):
        old = np.zeros(1, "l")
        self.win.Lock_all()
        for _ in range(10):
            self.win.Fetch_and_op(np.array([1]), old, 0, 0, MPI.SUM)
            self.win.Flush(0)
        self.win.Unlock_all()
        self.comm.Barrier()
        if self.rank == 0:
            self.win.Lock(0)
            self.assertEqual(self.items[0], 10 * self.size)
            self.win.Unlock(0)

    @each(True, False)
    def test_compare_and_swap(self, match):
        old, compare = np.zeros(1, "l"), np.array([100 * self.right + (3 if match else 4)])
        self.win.Lock(self.right)
        self.win.Compare_and_swap(np.array([-1]), compare, old, self.right, 3)
        self.win.Unlock(self.right)
        self.comm.Barrier()
        self.assertEqual(old[0], 100 * self.right + 3)
        self.win.Lock(self.rank)
        self.assertEqual(self.items[3], -1 if match else 100 * self.rank + 3)
        self.win.Unlock(self.rank)

    def test_rput_and_rget(self):
        got = np.zeros(8, "l")
        self.win.Lock_all()
        self.win.Rput(np.full(8, self.rank), self.right).Wait()
        self.win.Flush(self.right)
        self.comm.Barrier()
        self.win.Rget(got, self.right).Wait()
        self.win.Unlock_all()
        self.assertArray(got, [self.rank] * 8)

    def test_raccumulate(self):
        old = np.zeros(8, "l")
        self.win.Lock_all()
        self.win.Raccumulate(np.full(8, 5), self.right, op=MPI.SUM).Wait()
        self.win.Flush(self.right)
        request = self.win.Rget_accumulate(np.full(8, 7), old, self.right, op=MPI.SUM)
        request.Wait()
        self.win.Unlock_all()
        self.assertArray(old, self.expected(self.right) + 5)

    @each("Flush", "Flush_all", "Flush_local", "Flush_local_all")
    def test_flush(self, name):
        got = np.zeros(8, "l")
        self.win.Lock_all(MPI.MODE_NOCHECK)
        self.win.Get(got, self.right)
        getattr(self.win, name)(*([] if name.endswith("all") else [self.right]))
        self.assertArray(got, self.expected(self.right))
        self.win.Unlock_all()

    def test_sync(self):
        self.win.Lock_all()
        self.win.Sync()
        self.win.Unlock_all()

    @each("Wait", "Test")
    def test_active_target(self, name):
        group = self.comm.Get_group()
        to, source = group.Incl([self.right]), group.Incl([self.left])
        self.win.Post(source)
        self.win.Start(to)
        self.win.Put(np.full(8, self.rank), self.right)
        self.win.Complete()
        if name == "Wait":
            self.win.Wait()
        else:
            while not self.win.Test():
                pass
        self.assertArray(self.items, [self.left] * 8)
        for each_group in (group, to, source):
            each_group.Free()

    def test_proc_null(self):
        got = np.full(1, 9)
        self.win.Fence()
        self.win.Put(np.zeros(1, "l"), MPI.PROC_NULL)
        self.win.Get(got, MPI.PROC_NULL)
        self.win.Accumulate(np.zeros(1, "l"), MPI.PROC_NULL)
        self.win.Fence()
        self.assertEqual(got[0], 9)
        self.assertArray(self.items, self.expected(self.rank))

    @each("i", "d", "b", "f", "q", "D")
    def test_types(self, code):
        sent, got = np.arange(4).astype(code), np.zeros(4, code)
        self.win.Lock(self.right)
        self.win.Put(sent, self.right)
        self.win.Flush(self.right)
        self.win.Get(got, self.right)
        self.win.Unlock(self.right)
        self.assertArray(got, sent)
        self.comm.Barrier()


class WinAccessCreate(WinAccess):
    flavor = "Create"


class WinAccessShared(WinAccess):
    flavor = "Allocate_shared"

    def setUp(self):
        super().setUp()
        self.assertEqual(self.comm.Get_size(), self.size)


class WinAccessSelf(WinAccess):
    make = staticmethod(self_)


class WinProperties(WinCase):
    def test_flavor(self):
        self.assertEqual(self.win.Get_attr(MPI.WIN_CREATE_FLAVOR), FLAVORS[self.flavor])
        self.assertEqual(self.win.flavor, FLAVORS[self.flavor])

    def test_model(self):
        self.assertIn(self.win.Get_attr(MPI.WIN_MODEL), (MPI.WIN_SEPARATE, MPI.WIN_UNIFIED))
        self.assertEqual(self.win.model, self.win.Get_attr(MPI.WIN_MODEL))

    def test_size(self):
        self.assertEqual(self.win.Get_attr(MPI.WIN_SIZE), 64)

    def test_unit(self):
        self.assertEqual(self.win.Get_attr(MPI.WIN_DISP_UNIT), 8)

    def test_base(self):
        self.assertEqual(self.win.Get_attr(MPI.WIN_BASE), self.items.ctypes.data)
        self.assertEqual(self.win.attrs, (self.items.ctypes.data, 64, 8))

    def test_memory(self):
        memory = self.win.tomemory()
        self.assertEqual((memory.nbytes, memory.address), (64, self.items.ctypes.data))

    def test_group(self):
        group, own = self.win.Get_group(), self.comm.Get_group()
        self.assertEqual(MPI.Group.Compare(group, own), MPI.IDENT)
        group.Free()
        own.Free()
        self.win.group.Free()

    def test_info(self):
        info = self.win.Get_info()
        self.assertNotEqual(info, MPI.INFO_NULL)
        self.win.Set_info(info)
        info.Free()
        self.win.info.Free()

    @each("", "a name", "n" * (MPI.MAX_OBJECT_NAME - 1))
    def test_name(self, name):
        self.win.Set_name(name)
        self.assertEqual(self.win.Get_name(), name)
        self.win.name = "other"
        self.assertEqual(self.win.name, "other")

    def test_fortran(self):
        self.assertEqual(MPI.Win.f2py(self.win.py2f()), self.win)

    def test_bad_rank(self):
        self.win.Set_errhandler(MPI.ERRORS_RETURN)
        with self.assertRaises(MPI.Exception):
            self.win.Lock(self.size + 3)


class WinPropertiesCreate(WinProperties):
    flavor = "Create"


class WinPropertiesShared(WinProperties):
    flavor = "Allocate_shared"

    def test_query(self):
        for rank in range(self.size):
            memory, unit = self.win.Shared_query(rank)
            self.assertEqual((memory.nbytes, unit), (64, 8))

    def test_query_first(self):
        memory, unit = self.win.Shared_query(MPI.PROC_NULL)
        self.assertEqual((memory.nbytes, unit), (64, 8))
        self.assertEqual(np.frombuffer(memory, "l")[1], 1)
        self.comm.Barrier()

    def test_direct_access(self):
        memory, _ = self.win.Shared_query(self.right)
        self.win.Fence()
        np.frombuffer(memory, "l")[:] = self.rank
        self.win.Fence()
        self.assertArray(self.items, [self.left] * 8)


class WinOthers(CommCase):
    make = staticmethod(duplicate)

    def test_dynamic(self):
        win = MPI.Win.Create_dynamic(MPI.INFO_NULL, self.comm)
        self.assertEqual(win.flavor, MPI.WIN_FLAVOR_DYNAMIC)
        memory = MPI.Alloc_mem(64)
        np.frombuffer(memory, "l")[:] = self.rank
        win.Attach(memory)
        addresses = self.comm.allgather(MPI.Get_address(memory))
        got = np.zeros(8, "l")
        win.Lock(self.right, MPI.LOCK_SHARED)
        win.Get(got, self.right, addresses[self.right])
        win.Unlock(self.right)
        self.comm.Barrier()
        win.Detach(memory)
        win.Free()
        MPI.Free_mem(memory)
        self.assertArray(got, [self.right] * 8)

    def test_empty(self):
        win = MPI.Win.Create(None, 1, MPI.INFO_NULL, self.comm)
        win.Fence()
        self.assertEqual(win.Get_attr(MPI.WIN_SIZE), 0)
        win.Free()

    def test_different_sizes(self):
        win = MPI.Win.Allocate(8 * (self.rank + 1), 8, MPI.INFO_NULL, self.comm)
        self.assertEqual(win.Get_attr(MPI.WIN_SIZE), 8 * (self.rank + 1))
        win.Free()

    def test_no_locks(self):
        info = MPI.Info.Create()
        info.Set("no_locks", "true")
        win = MPI.Win.Allocate(64, 1, info, self.comm)
        win.Fence()
        win.Free()
        info.Free()

    def test_many(self):
        for _ in range(20):
            MPI.Win.Allocate(64, 1, MPI.INFO_NULL, MPI.COMM_SELF).Free()

    def test_null(self):
        self.assertError(MPI.ERR_WIN, MPI.WIN_NULL.Fence)
