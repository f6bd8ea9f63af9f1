# SPDX-License-Identifier: BSD-3-Clause
"""Groups, communicators and intercommunicators: construction, comparison, names."""
import unittest

import numpy as np
from mpi4py import MPI

from support import NULL, VERSION, Case, CommCase, backwards, duplicate, each, on, self_, world


class GroupMixin:
    def setUp(self):
        super().setUp()
        self.group = self.comm.Get_group()

    def tearDown(self):
        self.group.Free()
        self.assertEqual(self.group, MPI.GROUP_NULL)
        super().tearDown()

    def test_size_and_rank(self):
        self.assertEqual((self.group.Get_size(), self.group.Get_rank()), (self.size, self.rank))
        self.assertEqual((self.group.size, self.group.rank), (self.size, self.rank))

    def test_compare(self):
        other = self.comm.Get_group()
        self.assertEqual(MPI.Group.Compare(self.group, other), MPI.IDENT)
        other.Free()

    def test_compare_similar(self):
        turned = self.group.Range_incl([(self.size - 1, 0, -1)])
        expected = MPI.IDENT if self.size == 1 else MPI.SIMILAR
        self.assertEqual(MPI.Group.Compare(self.group, turned), expected)
        turned.Free()

    def test_compare_unequal(self):
        self.assertEqual(MPI.Group.Compare(self.group, MPI.GROUP_EMPTY), MPI.UNEQUAL)

    def test_translate(self):
        world_group = MPI.COMM_WORLD.Get_group()
        ranks = MPI.Group.Translate_ranks(self.group, list(range(self.size)), world_group)
        self.assertEqual(len(set(ranks)), self.size)
        self.assertEqual(MPI.Group.Translate_ranks(world_group, ranks, self.group),
                         list(range(self.size)))
        self.assertEqual(ranks[self.rank], MPI.COMM_WORLD.Get_rank())
        world_group.Free()

    def test_translate_undefined(self):
        self.assertEqual(MPI.Group.Translate_ranks(self.group, [0], MPI.GROUP_EMPTY),
                         [MPI.UNDEFINED])

    def test_translate_proc_null(self):
        self.assertEqual(MPI.Group.Translate_ranks(self.group, [MPI.PROC_NULL, 0], self.group),
                         [MPI.PROC_NULL, 0])

    def test_incl(self):
        one = self.group.Incl([self.size - 1])
        self.assertEqual(one.Get_size(), 1)
        self.assertEqual(one.Get_rank(), 0 if self.rank == self.size - 1 else MPI.UNDEFINED)
        one.Free()

    def test_incl_none(self):
        empty = self.group.Incl([])
        self.assertEqual(MPI.Group.Compare(empty, MPI.GROUP_EMPTY), MPI.IDENT)
        self.assertEqual(empty.Get_rank(), MPI.UNDEFINED)

    def test_excl(self):
        rest = self.group.Excl([0])
        self.assertEqual(rest.Get_size(), self.size - 1)
        if rest != MPI.GROUP_EMPTY:
            rest.Free()

    def test_range_excl(self):
        even = self.group.Range_excl([(0, self.size - 1, 2)])
        self.assertEqual(even.Get_size(), self.size // 2)
        if even != MPI.GROUP_EMPTY:
            even.Free()

    def test_range_incl(self):
        odd = self.group.Range_incl([(0, self.size - 1, 2)])
        self.assertEqual(odd.Get_size(), (self.size + 1) // 2)
        odd.Free()

    @each("Union", "Intersection", "Difference")
    def test_set_operation(self, name):
        first = self.group.Incl([0])
        result = getattr(MPI.Group, name)(self.group, first)
        expected = {"Union": self.size, "Intersection": 1, "Difference": self.size - 1}[name]
        self.assertEqual(result.Get_size(), expected)
        first.Free()
        if result != MPI.GROUP_EMPTY:
            result.Free()

    def test_dup(self):
        copy = self.group.Dup()
        self.assertEqual(MPI.Group.Compare(copy, self.group), MPI.IDENT)
        copy.Free()

    def test_fortran(self):
        self.assertEqual(MPI.Group.f2py(self.group.py2f()), self.group)


on(globals(), GroupMixin, world, self_, duplicate, backwards)


class EmptyGroup(Case):
    def test_size(self):
        self.assertEqual(MPI.GROUP_EMPTY.Get_size(), 0)

    def test_rank(self):
        self.assertEqual(MPI.GROUP_EMPTY.Get_rank(), MPI.UNDEFINED)

    def test_is_not_null(self):
        self.assertNotEqual(MPI.GROUP_EMPTY, MPI.GROUP_NULL)
        self.assertTrue(MPI.GROUP_EMPTY)

    def test_null_fails(self):
        self.assertError(MPI.ERR_GROUP, MPI.GROUP_NULL.Get_size)


class IntracommMixin:
    def test_properties(self):
        self.assertEqual((self.comm.size, self.comm.rank), (self.size, self.rank))
        self.assertTrue(self.comm.is_intra)
        self.assertFalse(self.comm.is_inter)
        self.assertFalse(self.comm.Is_inter())
        self.assertTrue(self.comm.Is_intra())

    def test_no_topology(self):
        self.assertEqual(self.comm.Get_topology(), MPI.UNDEFINED)
        self.assertFalse(self.comm.is_topo)

    def check(self, other):
        self.assertEqual(MPI.Comm.Compare(self.comm, other), MPI.CONGRUENT)
        self.assertEqual(other.allreduce(1), self.size)
        other.Free()
        self.assertEqual(other, MPI.COMM_NULL)

    def test_compare_same(self):
        self.assertEqual(MPI.Comm.Compare(self.comm, MPI.Comm(self.comm)), MPI.IDENT)

    @each("Dup", "Clone")
    def test_duplicate(self, name):
        self.check(getattr(self.comm, name)())

    def test_dup_with_info(self):
        info = MPI.Info.Create()
        info.Set("a_key_nobody_knows", "value")
        self.check(self.comm.Dup_with_info(info))
        self.check(self.comm.Dup(info))
        info.Free()

    def test_idup(self):
        other, request = self.comm.Idup()
        request.Wait()
        self.check(other)

    def test_create(self):
        group = self.comm.Get_group()
        self.check(self.comm.Create(group))
        group.Free()

    def test_create_some(self):
        group = self.comm.Get_group()
        first = group.Incl([0])
        other = self.comm.Create(first)
        self.assertEqual(other != MPI.COMM_NULL, self.rank == 0)
        if other:
            self.assertEqual(other.Get_size(), 1)
            other.Free()
        first.Free()
        group.Free()

    def test_create_group(self):
        group = self.comm.Get_group()
        if self.rank == 0:
            first = group.Incl([0])
            other = self.comm.Create_group(first, 3)
            self.assertEqual(other.Get_size(), 1)
            other.Free()
            first.Free()
        self.check(self.comm.Create_group(group, 4))
        group.Free()

    def test_split_by_parity(self):
        other = self.comm.Split(self.rank % 2, self.rank)
        self.assertEqual(other.Get_rank(), self.rank // 2)
        self.assertEqual(other.allreduce(self.rank % 2), (self.rank % 2) * other.Get_size())
        other.Free()

    def test_split_reversed(self):
        other = self.comm.Split(7, -self.rank)
        self.assertEqual(other.Get_rank(), self.size - 1 - self.rank)
        expected = MPI.CONGRUENT if self.size == 1 else MPI.SIMILAR
        self.assertEqual(MPI.Comm.Compare(self.comm, other), expected)
        other.Free()

    def test_split_undefined(self):
        other = self.comm.Split(0 if self.rank == 0 else MPI.UNDEFINED)
        self.assertEqual(other == MPI.COMM_NULL, self.rank != 0)
        if other:
            other.Free()

    def test_split_shared(self):
        other = self.comm.Split_type(MPI.COMM_TYPE_SHARED, self.rank)
        self.assertIn(other.Get_size(), range(1, self.size + 1))
        other.Free()

    def test_split_type_undefined(self):
        other = self.comm.Split_type(MPI.UNDEFINED)
        self.assertEqual(other, MPI.COMM_NULL)

    def test_name(self):
        copy = self.comm.Dup()
        for name in ("", "one", "n" * (MPI.MAX_OBJECT_NAME - 1)):
            copy.Set_name(name)
            self.assertEqual(copy.Get_name(), name)
        copy.name = "two"
        self.assertEqual(copy.name, "two")
        copy.Free()

    def test_fortran(self):
        self.assertEqual(MPI.Comm.f2py(self.comm.py2f()), self.comm)

    def test_info(self):
        info = self.comm.Get_info()
        self.assertNotEqual(info, MPI.INFO_NULL)
        self.comm.Set_info(info)
        info.Free()
        self.comm.info.Free()

    def test_disconnect(self):
        other = self.comm.Dup()
        other.Disconnect()
        self.assertEqual(other, MPI.COMM_NULL)

    def test_group_property(self):
        group = self.comm.group
        self.assertEqual(group.size, self.size)
        group.Free()


on(globals(), IntracommMixin, world, self_, duplicate, backwards)


class WellKnown(Case):
    def test_world_name(self):
        self.assertEqual(MPI.COMM_WORLD.Get_name(), "MPI_COMM_WORLD")

    def test_self_name(self):
        self.assertEqual(MPI.COMM_SELF.Get_name(), "MPI_COMM_SELF")

    def test_parent(self):
        self.assertEqual(MPI.Comm.Get_parent(), MPI.COMM_NULL)

    def test_world_is_not_self(self):
        expected = MPI.CONGRUENT if MPI.COMM_WORLD.Get_size() == 1 else MPI.UNEQUAL
        self.assertEqual(MPI.Comm.Compare(MPI.COMM_WORLD, MPI.COMM_SELF), expected)
        self.assertNotEqual(MPI.COMM_WORLD, MPI.COMM_SELF)

    @each("COMM_WORLD", "COMM_SELF")
    def test_free_fails(self, name):
        comm = MPI.Intracomm(getattr(MPI, name))
        self.assertError((MPI.ERR_COMM, MPI.ERR_ARG), comm.Free)

    @each("Get_size", "Get_rank", "Get_group", "Dup", "Barrier", "Get_topology", "Get_info",
          "Is_inter")
    def test_null_fails(self, name):
        self.assertError(MPI.ERR_COMM, getattr(MPI.COMM_NULL, name))

    def test_many(self):
        comms = [MPI.COMM_SELF.Dup() for _ in range(200)]
        self.assertEqual(len({MPI._handleof(comm) for comm in comms}), 200)
        for comm in comms:
            comm.Free()

    def test_create_and_free(self):
        for _ in range(300):
            MPI.COMM_SELF.Dup().Free()

    @each(*range(len(NULL)))
    def test_null_is_false(self, number):
        self.assertFalse(NULL[number])
        self.assertEqual(NULL[number], type(NULL[number])())


class InfoCase(Case):
    def setUp(self):
        self.info = MPI.Info.Create()

    def tearDown(self):
        if self.info:
            self.info.Free()


class Info(InfoCase):
    def test_empty(self):
        self.assertEqual((self.info.Get_nkeys(), len(self.info), self.info.Get("x")), (0, 0, None))

    def test_set_get(self):
        self.info.Set("key", "a value")
        self.assertEqual(self.info.Get("key"), "a value")
        self.assertEqual(self.info.Get_nkeys(), 1)

    def test_replace(self):
        self.info.Set("key", "1")
        self.info.Set("key", "22")
        self.assertEqual((self.info.Get("key"), self.info.Get_nkeys()), ("22", 1))

    @unittest.skipUnless(VERSION < 4, "mpi4py 4 takes no room for a value")
    def test_maxlen(self):
        self.info.Set("key", "abcdef")
        self.assertEqual(self.info.Get("key", 3), "abc")

    def test_delete(self):
        self.info.Set("key", "1")
        self.info.Delete("key")
        self.assertIsNone(self.info.Get("key"))

    def test_delete_missing(self):
        self.assertError(MPI.ERR_INFO_NOKEY, self.info.Delete, "missing")

    def test_keys_in_order(self):
        for number in range(10):
            self.info.Set(f"key{number}", str(number))
        keys = [self.info.Get_nthkey(number) for number in range(10)]
        self.assertEqual(keys, [f"key{number}" for number in range(10)])

    def test_nthkey_fails(self):
        self.assertError((MPI.ERR_ARG, MPI.ERR_INFO_KEY), self.info.Get_nthkey, 0)

    def test_dup(self):
        self.info.Set("key", "1")
        copy = self.info.Dup()
        copy.Set("key", "2")
        self.assertEqual((self.info.Get("key"), copy.Get("key")), ("1", "2"))
        copy.Free()
        self.assertEqual(copy, MPI.INFO_NULL)

    def test_longest_key(self):
        key = "k" * (MPI.MAX_INFO_KEY - 1)
        self.info.Set(key, "v")
        self.assertEqual(self.info.Get(key), "v")
        self.assertEqual(self.info.Get_nthkey(0), key)

    @each(10, 100, 200, MPI.MAX_INFO_VAL - 1)
    def test_long_value(self, length):
        self.info.Set("key", "v" * length)
        self.assertEqual(self.info.Get("key"), "v" * length)

    def test_key_too_long(self):
        self.assertError(MPI.ERR_INFO_KEY, self.info.Set, "k" * 2000, "v")

    def test_fortran(self):
        self.assertEqual(MPI.Info.f2py(self.info.py2f()), self.info)

    def test_null_fails(self):
        self.assertError((MPI.ERR_INFO, MPI.ERR_ARG), MPI.INFO_NULL.Get_nkeys)

    def test_env(self):
        self.assertGreaterEqual(len(MPI.INFO_ENV), 0)
        self.assertNotEqual(MPI.INFO_ENV, MPI.INFO_NULL)

    def test_env_items(self):
        for key, value in MPI.INFO_ENV.items():
            self.assertEqual(MPI.INFO_ENV.Get(key), value)


class InfoMapping(InfoCase):
    def setUp(self):
        super().setUp()
        self.info.update({"a": "1", "b": "2"}, c="3")

    def test_items(self):
        self.assertEqual(self.info.items(), [("a", "1"), ("b", "2"), ("c", "3")])
        self.assertEqual(self.info.keys(), ["a", "b", "c"])
        self.assertEqual(self.info.values(), ["1", "2", "3"])

    def test_contains(self):
        self.assertIn("a", self.info)
        self.assertNotIn("z", self.info)

    def test_item(self):
        self.assertEqual(self.info["b"], "2")
        self.info["b"] = "4"
        self.assertEqual(self.info["b"], "4")

    def test_missing(self):
        with self.assertRaises(KeyError):
            self.info["z"]
        with self.assertRaises(KeyError):
            del self.info["z"]
        with self.assertRaises(KeyError):
            self.info.pop("z")

    def test_get(self):
        self.assertEqual((self.info.get("a"), self.info.get("z", "d")), ("1", "d"))

    def test_iterate(self):
        self.assertEqual(list(self.info), ["a", "b", "c"])

    def test_pop(self):
        self.assertEqual((self.info.pop("a"), self.info.pop("a", "d")), ("1", "d"))

    def test_popitem(self):
        self.assertIn(self.info.popitem(), [("a", "1"), ("c", "3")])
        self.assertEqual(len(self.info), 2)

    def test_del(self):
        del self.info["a"]
        self.assertEqual(self.info.keys(), ["b", "c"])

    def test_clear(self):
        self.info.clear()
        self.assertEqual(len(self.info), 0)

    def test_copy(self):
        copy = self.info.copy()
        self.assertEqual(copy.items(), self.info.items())
        copy.Free()


class HalvesCase(CommCase):
    """Tests on an intercommunicator between the low and the high ranks."""

    def setUp(self):
        whole = MPI.COMM_WORLD
        if whole.Get_size() < 2:
            self.skipTest("needs two ranks")
        self.low = (whole.Get_size() + 1) // 2
        self.first = whole.Get_rank() < self.low
        self.local = whole.Split(0 if self.first else 1, whole.Get_rank())
        self.comm = self.local.Create_intercomm(0, whole, self.low if self.first else 0, 17)
        self.rank, self.size = self.comm.Get_rank(), self.comm.Get_size()
        self.remote = self.comm.Get_remote_size()

    def tearDown(self):
        self.comm.Free()
        self.local.Free()


class Intercomm(HalvesCase):
    def test_kind(self):
        self.assertTrue(self.comm.Is_inter())
        self.assertTrue(self.comm.is_inter)
        self.assertFalse(self.comm.is_intra)
        self.assertIsInstance(self.comm, MPI.Intercomm)

    def test_sizes(self):
        self.assertEqual(self.size, self.local.Get_size())
        self.assertEqual(self.size + self.remote, MPI.COMM_WORLD.Get_size())
        self.assertEqual(self.comm.remote_size, self.remote)

    def test_groups(self):
        local, remote = self.comm.Get_group(), self.comm.Get_remote_group()
        self.assertEqual((local.Get_size(), remote.Get_size()), (self.size, self.remote))
        union = MPI.Group.Union(local, remote)
        self.assertEqual(union.Get_size(), MPI.COMM_WORLD.Get_size())
        for group in (local, remote, union, self.comm.remote_group):
            group.Free()

    @each(False, True)
    def test_merge(self, low_first):
        merged = self.comm.Merge(self.first != low_first)
        self.assertEqual(merged.Get_size(), MPI.COMM_WORLD.Get_size())
        ranks = merged.allgather(MPI.COMM_WORLD.Get_rank())
        total = list(range(MPI.COMM_WORLD.Get_size()))
        expected = total if low_first else total[self.low:] + total[:self.low]
        self.assertEqual(ranks, expected)
        merged.Free()

    def test_dup(self):
        copy = self.comm.Dup()
        self.assertEqual(MPI.Comm.Compare(copy, self.comm), MPI.CONGRUENT)
        self.assertIsInstance(copy, MPI.Intercomm)
        copy.Free()

    def test_split(self):
        part = self.comm.Split(0, self.rank)
        self.assertEqual(part.Get_remote_size(), self.remote)
        part.Free()

    def test_create(self):
        group = self.comm.Get_group()
        part = self.comm.Create(group)
        self.assertEqual(part.Get_remote_size(), self.remote)
        part.Free()
        group.Free()

    def test_compare(self):
        self.assertEqual(MPI.Comm.Compare(self.comm, self.comm), MPI.IDENT)

    def test_fortran(self):
        self.assertEqual(MPI.Comm.f2py(self.comm.py2f()), self.comm)

    def test_ping(self):
        status = MPI.Status()
        partner = self.rank
        if partner < self.remote:
            received = self.comm.sendrecv(("from", self.first), partner, 4, None, partner, 4,
                                          status)
            self.assertEqual(received, ("from", not self.first))
            self.assertEqual((status.source, status.tag), (partner, 4))

    def test_proc_null_in_intercomm(self):
        status = MPI.Status()
        self.comm.Recv(np.zeros(1), MPI.PROC_NULL, 0, status)
        self.assertEqual(status.source, MPI.PROC_NULL)


class IntercommCollectives(HalvesCase):
    """Rooted ones go from the low group's rank 0 to the high group or back."""

    prefix = ""

    def call(self, name, *arguments, **options):
        request = getattr(self.comm, "I" + name.lower() if self.prefix else name)(
            *arguments, **options)
        if request is not None:
            request.Wait()

    @property
    def root(self):
        if not self.first:
            return 0
        return MPI.ROOT if self.rank == 0 else MPI.PROC_NULL

    def test_barrier(self):
        self.call("Barrier")

    def test_bcast(self):
        buffer = np.arange(5) if self.first else np.zeros(5, int)
        self.call("Bcast", buffer, self.root)
        self.assertArray(buffer, np.arange(5))

    def test_gather(self):
        received = np.zeros((self.remote, 2), int) if self.root == MPI.ROOT else None
        sent = None if self.first else np.array([self.rank, 7])
        self.call("Gather", sent, received, self.root)
        if received is not None:
            self.assertArray(received, [[rank, 7] for rank in range(self.remote)])

    def test_gatherv(self):
        counts = [rank + 1 for rank in range(self.remote)]
        received = np.zeros(sum(counts), int)
        target = [received, counts] if self.root == MPI.ROOT else None
        self.call("Gatherv", None if self.first else np.full(self.rank + 1, self.rank), target,
                  self.root)
        if target:
            self.assertArray(received, np.repeat(range(self.remote), counts))

    def test_scatter(self):
        sent = np.arange(2 * self.remote) if self.root == MPI.ROOT else None
        received = None if self.first else np.zeros(2, int)
        self.call("Scatter", sent, received, self.root)
        if not self.first:
            self.assertArray(received, [2 * self.rank, 2 * self.rank + 1])

    def test_scatterv(self):
        counts = [rank + 1 for rank in range(self.remote)]
        source = [np.repeat(range(self.remote), counts), counts]
        received = None if self.first else np.zeros(self.rank + 1, int)
        self.call("Scatterv", source if self.root == MPI.ROOT else None, received, self.root)
        if not self.first:
            self.assertArray(received, [self.rank] * (self.rank + 1))

    def test_allgather(self):
        received = np.zeros(self.remote, int)
        self.call("Allgather", np.array([self.rank + 10 * self.first]), received)
        self.assertArray(received, np.arange(self.remote) + 10 * (not self.first))

    def test_allgatherv(self):
        received = np.zeros(self.remote, int)
        self.call("Allgatherv", np.array([self.rank]), [received, [1] * self.remote])
        self.assertArray(received, np.arange(self.remote))

    def test_alltoall(self):
        received = np.zeros(self.remote, int)
        self.call("Alltoall", np.arange(self.remote) + 10 * self.rank, received)
        self.assertArray(received, [10 * rank + self.rank for rank in range(self.remote)])

    def test_alltoallv(self):
        received, ones = np.zeros(self.remote, int), [1] * self.remote
        self.call("Alltoallv", [np.arange(self.remote) + 10 * self.rank, ones], [received, ones])
        self.assertArray(received, [10 * rank + self.rank for rank in range(self.remote)])

    def test_alltoallw(self):
        received, ones = np.zeros(self.remote, "l"), [1] * self.remote
        places, types = [8 * rank for rank in range(self.remote)], [MPI.LONG] * self.remote
        self.call("Alltoallw", [np.arange(self.remote) + 10 * self.rank, (ones, places), types],
                  [received, (ones, places), types])
        self.assertArray(received, [10 * rank + self.rank for rank in range(self.remote)])

    def test_reduce(self):
        received = np.zeros(2, int) if self.root == MPI.ROOT else None
        self.call("Reduce", None if self.first else np.array([self.rank, 1]), received,
                  root=self.root)
        if received is not None:
            self.assertArray(received, [sum(range(self.remote)), self.remote])

    def test_allreduce(self):
        received = np.zeros(2, int)
        self.call("Allreduce", np.array([self.rank, 1]), received)
        self.assertArray(received, [sum(range(self.remote)), self.remote])

    def test_reduce_scatter_block(self):
        received = np.zeros(self.remote, int)
        # Each side's contribution is as long as the other's: size * remote items.
        self.call("Reduce_scatter_block", np.full(self.size * self.remote, 1), received)
        self.assertArray(received, [self.remote] * self.remote)

    def test_objects(self):
        self.assertEqual(self.comm.allgather(("x", self.rank)),
                         [("x", rank) for rank in range(self.remote)])
        self.assertEqual(self.comm.bcast("word" if self.root == MPI.ROOT else None, self.root),
                         None if self.first else "word")
        self.assertEqual(self.comm.allreduce(1), self.remote)
        self.assertEqual(self.comm.alltoall(list(range(self.remote))), [self.rank] * self.remote)


class IntercommCollectivesNonblocking(IntercommCollectives):
    prefix = "I"
