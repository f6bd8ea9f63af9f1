# SPDX-License-Identifier: BSD-3-Clause
"""Communication of Python objects, and mpi4py's helpers built on it."""
import threading

import numpy as np
from mpi4py import MPI
from mpi4py.util import dtlib, pkl5

from support import Case, CommCase, backwards, duplicate, each, on, self_, world

OBJECTS = {
    "none": None, "zero": 0, "integer": 7, "long": 1 << 100, "float": 3.25, "complex": 1 + 2j,
    "bytes": b"abc", "string": "text \u00e9", "list": [1, [2, None]], "tuple": (1, "b"),
    "dict": {"a": 1, 2: "b"}, "set": {1, 2}, "large": list(range(20000)),
}


class ObjectsMixin:
    wrap = staticmethod(lambda comm: comm)

    def setUp(self):
        super().setUp()
        self.objects = self.wrap(self.comm)

    def exchange(self, value, send="isend"):
        request = getattr(self.objects, send)(value, self.right, 3)
        status = MPI.Status()
        received = self.objects.recv(source=self.left, tag=3, status=status)
        request.wait()
        self.assertEqual((status.source, status.tag), (self.left, 3))
        return received

    @each(*OBJECTS)
    def test_isend(self, name):
        self.assertEqual(self.exchange(OBJECTS[name]), OBJECTS[name])

    @each("isend", "issend", "ibsend")
    def test_mode(self, name):
        MPI.Attach_buffer(bytearray(1 << 16))
        self.assertEqual(self.exchange(("x", self.rank), name), ("x", self.left))
        self.comm.Barrier()
        MPI.Detach_buffer()

    @each(*OBJECTS)
    def test_sendrecv(self, name):
        received = self.objects.sendrecv(OBJECTS[name], self.right, 1, None, self.left, 1)
        self.assertEqual(received, OBJECTS[name])

    @each("send", "ssend")
    def test_blocking(self, name):
        if self.size < 2 or self.size % 2:
            self.skipTest("needs an even number of ranks")
        partner = self.rank ^ 1
        if self.rank % 2 == 0:
            getattr(self.objects, name)(["ping"], partner, 2)
            self.assertEqual(self.objects.recv(source=partner), ["pong"])
        else:
            self.assertEqual(self.objects.recv(source=partner), ["ping"])
            getattr(self.objects, name)(["pong"], partner, 2)

    def test_irecv(self):
        requests = [self.objects.irecv(source=self.left, tag=tag) for tag in range(3)]
        sends = [self.objects.isend(tag * 10, self.right, tag) for tag in range(3)]
        self.assertEqual([request.wait() for request in requests], [0, 10, 20])
        type(sends[0]).waitall(sends)

    def test_probe(self):
        request, status = self.objects.isend("probed", self.right, 4), MPI.Status()
        self.objects.probe(self.left, 4, status)
        self.assertEqual((status.source, status.tag), (self.left, 4))
        self.assertTrue(self.objects.iprobe(self.left, 4))
        self.assertEqual(self.objects.recv(source=self.left, tag=4), "probed")
        request.wait()

    def test_mprobe(self):
        request, status = self.objects.isend({"m": self.rank}, self.right, 5), MPI.Status()
        message = self.objects.mprobe(self.left, 5, status)
        self.assertEqual(message.recv(), {"m": self.left})
        self.assertEqual(status.source, self.left)
        request.wait()

    def test_improbe(self):
        request, message = self.objects.isend("im", self.right, 6), None
        while message is None:
            message = self.objects.improbe(self.left, 6)
        self.assertEqual(message.irecv().wait(), "im")
        request.wait()

    def test_to_proc_null(self):
        self.objects.send("lost", MPI.PROC_NULL)
        self.assertIsNone(self.objects.recv(source=MPI.PROC_NULL))

    @each(*OBJECTS)
    def test_bcast(self, name):
        for root in range(self.size):
            value = OBJECTS[name] if self.rank == root else None
            self.assertEqual(self.objects.bcast(value, root), OBJECTS[name])

    def test_barrier(self):
        self.objects.barrier()

    def test_gather(self):
        for root in range(self.size):
            got = self.comm.gather(("g", self.rank), root)
            expected = [("g", rank) for rank in range(self.size)]
            self.assertEqual(got, expected if self.rank == root else None)

    def test_scatter(self):
        for root in range(self.size):
            values = [{"to": rank} for rank in range(self.size)] if self.rank == root else None
            self.assertEqual(self.comm.scatter(values, root), {"to": self.rank})

    def test_allgather(self):
        self.assertEqual(self.comm.allgather("x" * self.rank),
                         ["x" * rank for rank in range(self.size)])

    def test_alltoall(self):
        got = self.comm.alltoall([(self.rank, to) for to in range(self.size)])
        self.assertEqual(got, [(source, self.rank) for source in range(self.size)])

    @each("SUM", "MAX", "MIN", "PROD", "LAND", "BOR")
    def test_reductions(self, name):
        op, values = getattr(MPI, name), [rank + 1 for rank in range(self.size)]
        total = values[0]
        for value in values[1:]:
            total = op(total, value)
        self.assertEqual(self.comm.allreduce(self.rank + 1, op), total)
        self.assertEqual(self.comm.reduce(self.rank + 1, op, 0), total if self.rank == 0 else None)

    def test_scan(self):
        self.assertEqual(self.comm.scan(self.rank + 1), sum(range(1, self.rank + 2)))

    def test_exscan(self):
        got = self.comm.exscan(self.rank + 1)
        self.assertEqual(got, sum(range(1, self.rank + 1)) if self.rank else None)

    def test_reduce_lists(self):
        self.assertEqual(self.comm.allreduce([self.rank]), list(range(self.size)))

    def test_reduce_function(self):
        longest = self.comm.allreduce("x" * self.rank, lambda a, b: max(a, b, key=len))
        self.assertEqual(longest, "x" * (self.size - 1))


on(globals(), ObjectsMixin, world, self_, duplicate, backwards)


class Pkl5(ObjectsMixin, CommCase):
    """The same over mpi4py.util.pkl5, which sends large buffers apart."""

    wrap = staticmethod(pkl5.Intracomm)

    def test_irecv(self):
        with self.assertRaises(RuntimeError):  # pkl5 does not have it
            self.objects.irecv()

    @each(0, 10, 100_000)
    def test_arrays(self, length):
        value = [np.arange(length), {"b": np.ones(length)}]
        received = self.exchange(value)
        self.assertArray(received[0], value[0])
        self.assertArray(received[1]["b"], value[1]["b"])

    def test_bcast_array(self):
        value = self.objects.bcast(np.arange(50_000) if self.rank == 0 else None)
        self.assertArray(value, np.arange(50_000))


class Completions(CommCase):
    """The lower-case completion functions return the objects."""

    def setUp(self):
        super().setUp()
        self.requests = [self.comm.irecv(source=self.left, tag=tag) for tag in range(4)]
        self.sends = [self.comm.isend(("m", tag), self.right, tag) for tag in range(4)]

    def tearDown(self):
        MPI.Request.waitall(self.sends)

    def test_waitall(self):
        statuses = [MPI.Status() for _ in range(4)]
        got = MPI.Request.waitall(self.requests, statuses)
        self.assertEqual(got, [("m", tag) for tag in range(4)])
        self.assertEqual([status.tag for status in statuses], list(range(4)))

    def test_testall(self):
        done = False
        while not done:
            done, got = MPI.Request.testall(self.requests)
        self.assertEqual(got, [("m", tag) for tag in range(4)])

    def test_waitany(self):
        got = {}
        for _ in range(4):
            index, value = MPI.Request.waitany(self.requests)
            got[index] = value
        self.assertEqual(got, {tag: ("m", tag) for tag in range(4)})

    def test_testany(self):
        got = {}
        while len(got) < 4:
            index, flag, value = MPI.Request.testany(self.requests)
            if flag:
                got[index] = value
        self.assertEqual(got, {tag: ("m", tag) for tag in range(4)})

    @each("waitsome", "testsome")
    def test_some(self, name):
        got = {}
        while len(got) < 4:
            indices, values = getattr(MPI.Request, name)(self.requests)
            got.update(zip(indices or [], values or []))
        self.assertEqual(got, {tag: ("m", tag) for tag in range(4)})

    def test_test(self):
        for tag, request in enumerate(self.requests):
            done = False
            while not done:
                done, value = request.test()
            self.assertEqual(value, ("m", tag))


class TypeLibrary(Case):
    @each("i", "d", "c8", "i2", "u8", "?", "f4")
    def test_scalar(self, code):
        datatype = dtlib.from_numpy_dtype(code)
        self.assertEqual(dtlib.to_numpy_dtype(datatype), np.dtype(code))

    @each(True, False)
    def test_record(self, align):
        dtype = np.dtype([("a", "i2"), ("b", "f8", (2,)), ("c", "u1")], align=align)
        datatype = dtlib.from_numpy_dtype(dtype).Commit()
        self.assertEqual(datatype.Get_extent(), (0, dtype.itemsize))
        sent, received = np.zeros(3, dtype), np.zeros(3, dtype)
        sent["a"], sent["b"], sent["c"] = [1, 2, 3], 4.5, 6
        MPI.COMM_SELF.Sendrecv([sent, 3, datatype], 0, 0, [received, 3, datatype], 0)
        for name in "abc":
            self.assertArray(received[name], sent[name])
        back = dtlib.to_numpy_dtype(datatype)
        self.assertEqual(back.itemsize, dtype.itemsize)
        datatype.Free()

    def test_vector(self):
        datatype = MPI.INT.Create_vector(2, 1, 3)
        self.assertEqual(dtlib.to_numpy_dtype(datatype).itemsize, 16)
        datatype.Free()

    def test_subarray(self):
        dtype = np.dtype(("i4", (2, 3)))
        datatype = dtlib.from_numpy_dtype(dtype)
        self.assertEqual(datatype.Get_size(), 24)
        datatype.Free()


class Threads(Case):
    def setUp(self):
        if MPI.Query_thread() < MPI.THREAD_MULTIPLE:
            self.skipTest("needs MPI_THREAD_MULTIPLE")

    def run_threads(self, *functions):
        errors = []

        def guard(function):
            try:
                function()
            except Exception as error:  # reported by the main thread
                errors.append(error)

        threads = [threading.Thread(target=guard, args=(f,)) for f in functions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])

    def test_is_main(self):
        seen = []
        self.run_threads(lambda: seen.append(MPI.Is_thread_main()))
        self.assertEqual(seen, [False])

    def test_send_to_self(self):
        def send():
            for tag in range(100):
                MPI.COMM_SELF.send(("t", tag), 0, tag)

        def receive():
            for tag in range(100):
                self.assertEqual(MPI.COMM_SELF.recv(source=0, tag=tag), ("t", tag))

        self.run_threads(send, receive)

    def test_collectives_on_two_communicators(self):
        comms = [MPI.COMM_WORLD.Dup() for _ in range(2)]

        def reduce(comm):
            for _ in range(20):
                self.assertEqual(comm.allreduce(1), comm.Get_size())

        self.run_threads(*[lambda comm=comm: reduce(comm) for comm in comms])
        for comm in comms:
            comm.Free()

    def test_objects_created_in_parallel(self):
        def create():
            for _ in range(100):
                datatype = MPI.INT.Create_contiguous(3).Commit()
                operation = MPI.Op.Create(lambda a, b, t: None)
                info = MPI.Info.Create()
                info.Set("k", "v")
                for thing in (datatype, operation, info):
                    thing.Free()

        self.run_threads(create, create, create)
