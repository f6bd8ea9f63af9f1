# SPDX-License-Identifier: BSD-3-Clause
"""Collectives over buffers, blocking and nonblocking."""
import numpy as np
from mpi4py import MPI

from support import CODES, CommCase, backwards, duplicate, each, self_, world

TYPES = sorted(CODES)


def finish(request):
    if request is not None:
        request.Wait()


class Collectives(CommCase):
    """The blocking form on the world; subclasses change form and communicator."""

    prefix = ""

    def call(self, name, *arguments, **options):
        name = "I" + name.lower() if self.prefix else name
        finish(getattr(self.comm, name)(*arguments, **options))

    def row(self, rank, code="i"):
        """A rank's contribution: one item for each rank."""
        return (np.arange(self.size) + 10 * rank + 1).astype(code)

    def rows(self, code="i"):
        return np.stack([self.row(rank, code) for rank in range(self.size)])

    def test_barrier(self):
        self.call("Barrier")

    @each(*TYPES)
    def test_bcast(self, code):
        for root in range(self.size):
            buffer = self.row(root, code) if self.rank == root else np.zeros(self.size, code)
            self.call("Bcast", buffer, root)
            self.assertArray(buffer, self.row(root, code))

    @each(*TYPES)
    def test_gather(self, code):
        for root in range(self.size):
            received = np.zeros((self.size, self.size), code) if self.rank == root else None
            self.call("Gather", self.row(self.rank, code), received, root)
            if self.rank == root:
                self.assertArray(received, self.rows(code))

    @each(*TYPES)
    def test_scatter(self, code):
        for root in range(self.size):
            sent = self.rows(code) if self.rank == root else None
            received = np.zeros(self.size, code)
            self.call("Scatter", sent, received, root)
            self.assertArray(received, self.row(self.rank, code))

    @each(*TYPES)
    def test_allgather(self, code):
        received = np.zeros((self.size, self.size), code)
        self.call("Allgather", self.row(self.rank, code), received)
        self.assertArray(received, self.rows(code))

    @each(*TYPES)
    def test_alltoall(self, code):
        received = np.zeros(self.size, code)
        self.call("Alltoall", self.row(self.rank, code), received)
        self.assertArray(received, self.rows(code)[:, self.rank])

    @each(*TYPES)
    def test_reduce(self, code):
        for root in range(self.size):
            received = np.zeros(self.size, code) if self.rank == root else None
            self.call("Reduce", self.row(self.rank, code), received, root=root)
            if self.rank == root:
                self.assertArray(received, self.rows(code).sum(0).astype(code))

    @each(*TYPES)
    def test_allreduce(self, code):
        received = np.zeros(self.size, code)
        self.call("Allreduce", self.row(self.rank, code), received)
        self.assertArray(received, self.rows(code).sum(0).astype(code))

    @each(*TYPES)
    def test_reduce_scatter_block(self, code):
        received = np.zeros(1, code)
        self.call("Reduce_scatter_block", self.row(self.rank, code), received)
        self.assertArray(received, self.rows(code).sum(0).astype(code)[self.rank:self.rank + 1])

    @each(*TYPES)
    def test_reduce_scatter(self, code):
        counts = [rank + 1 for rank in range(self.size)]
        total, start = sum(counts), sum(counts[:self.rank])
        sent, received = np.arange(total).astype(code), np.zeros(counts[self.rank], code)
        self.call("Reduce_scatter", sent, received, counts)
        expected = (np.arange(total) * self.size)[start:start + counts[self.rank]]
        self.assertArray(received, expected.astype(code))

    @each(*TYPES)
    def test_scan(self, code):
        received = np.zeros(self.size, code)
        self.call("Scan", self.row(self.rank, code), received)
        self.assertArray(received, self.rows(code)[:self.rank + 1].sum(0).astype(code))

    @each(*TYPES)
    def test_exscan(self, code):
        received = np.zeros(self.size, code)
        self.call("Exscan", self.row(self.rank, code), received)
        if self.rank > 0:
            self.assertArray(received, self.rows(code)[:self.rank].sum(0).astype(code))


class CollectivesSelf(Collectives):
    make = staticmethod(self_)


class CollectivesNonblocking(Collectives):
    prefix = "I"


class Vectors(CommCase):
    """The variants with counts, and with datatypes, for each rank."""

    prefix = ""
    call = Collectives.call

    def setUp(self):
        super().setUp()
        self.counts = [rank + 1 for rank in range(self.size)]
        # A gap of one item between blocks.
        self.displs = [sum(self.counts[:rank]) + rank for rank in range(self.size)]
        self.extent = sum(self.counts) + self.size

    def block(self, rank, code="d"):
        return np.arange(self.counts[rank]).astype(code) + 100 * rank

    def spread(self, code="d"):
        whole = np.full(self.extent, -1).astype(code)
        for rank in range(self.size):
            start = self.displs[rank]
            whole[start:start + self.counts[rank]] = self.block(rank, code)
        return whole

    @each("i", "d", "D")
    def test_gatherv(self, code):
        for root in range(self.size):
            received = np.full(self.extent, -1).astype(code)
            target = [received, (self.counts, self.displs), CODES[code]]
            self.call("Gatherv", self.block(self.rank, code),
                      target if self.rank == root else None, root)
            if self.rank == root:
                self.assertArray(received, self.spread(code))

    @each("i", "d", "D")
    def test_scatterv(self, code):
        for root in range(self.size):
            source = [self.spread(code), self.counts, self.displs, CODES[code]]
            received = np.zeros(self.counts[self.rank], code)
            self.call("Scatterv", source if self.rank == root else None, received, root)
            self.assertArray(received, self.block(self.rank, code))

    @each("i", "d", "D")
    def test_allgatherv(self, code):
        received = np.full(self.extent, -1).astype(code)
        self.call("Allgatherv", self.block(self.rank, code),
                  [received, (self.counts, self.displs), CODES[code]])
        self.assertArray(received, self.spread(code))

    def test_gatherv_counts_only(self):
        received = np.zeros(sum(self.counts))
        self.call("Gatherv", self.block(self.rank), [received, self.counts])
        if self.rank == 0:
            self.assertArray(received, np.concatenate([self.block(r) for r in range(self.size)]))

    @each("i", "d", "D")
    def test_alltoallv(self, code):
        # Rank r sends r + 1 items to each rank, laid out one after another.
        mine, counts = self.counts[self.rank], self.counts
        sent = np.concatenate([np.full(mine, 10 * self.rank + to) for to in range(self.size)])
        received = np.zeros(sum(counts), code)
        self.call("Alltoallv", [sent.astype(code), [mine] * self.size],
                  [received, counts, [sum(counts[:r]) for r in range(self.size)], CODES[code]])
        expected = np.concatenate(
            [np.full(counts[r], 10 * r + self.rank) for r in range(self.size)])
        self.assertArray(received, expected.astype(code))

    def test_alltoallw(self):
        # Even ranks are sent int, odd ones double.
        types = [MPI.INT if rank % 2 == 0 else MPI.DOUBLE for rank in range(self.size)]
        codes = ["i" if rank % 2 == 0 else "d" for rank in range(self.size)]
        sent, received = np.zeros(self.size * 8, "B"), np.zeros(self.size * 8, "B")
        for to in range(self.size):
            sent[8 * to:].view(codes[to])[0] = 10 * self.rank + to
        places = [8 * rank for rank in range(self.size)]
        mine = types[self.rank]
        self.call("Alltoallw", [sent, ([1] * self.size, places), types],
                  [received, ([1] * self.size, places), [mine] * self.size])
        for source in range(self.size):
            value = received[8 * source:].view(codes[self.rank])[0]
            self.assertEqual(value, 10 * source + self.rank)

    def test_alltoallw_derived(self):
        pair = MPI.INT.Create_vector(2, 1, 2).Commit()
        sent = np.arange(4 * self.size, dtype="i") + 100 * self.rank
        received = np.full(4 * self.size, -1, "i")
        places = [16 * rank for rank in range(self.size)]
        types, ones = [pair] * self.size, [1] * self.size
        self.call("Alltoallw", [sent, (ones, places), types], [received, (ones, places), types])
        pair.Free()
        for source in range(self.size):
            base = 100 * source + 4 * self.rank
            self.assertArray(received[4 * source:4 * source + 4], [base, -1, base + 2, -1])

    def test_allgather_derived(self):
        strided = MPI.DOUBLE.Create_vector(2, 1, 2).Create_resized(0, 32).Commit()
        received = np.full(4 * self.size, -1.0)
        self.call("Allgather", np.array([1.0, 2.0]) + self.rank, [received, 1, strided])
        strided.Free()
        for source in range(self.size):
            self.assertArray(received[4 * source:4 * source + 4],
                             [1 + source, -1, 2 + source, -1])


class VectorsSelf(Vectors):
    make = staticmethod(self_)


class VectorsNonblocking(Vectors):
    prefix = "I"


class InPlace(CommCase):
    prefix = ""
    call = Collectives.call
    row, rows = Collectives.row, Collectives.rows

    def test_gather(self):
        for root in range(self.size):
            whole = np.zeros((self.size, self.size), "i")
            whole[self.rank] = self.row(self.rank)
            if self.rank == root:
                self.call("Gather", MPI.IN_PLACE, whole, root)
                self.assertArray(whole, self.rows())
            else:
                self.call("Gather", self.row(self.rank), None, root)

    def test_gatherv(self):
        whole, counts = np.zeros((self.size, self.size), "i"), [self.size] * self.size
        whole[self.rank] = self.row(self.rank)
        if self.rank == 0:
            self.call("Gatherv", MPI.IN_PLACE, [whole, counts], 0)
            self.assertArray(whole, self.rows())
        else:
            self.call("Gatherv", self.row(self.rank), None, 0)

    def test_scatter(self):
        for root in range(self.size):
            if self.rank == root:
                whole = self.rows()
                self.call("Scatter", whole, MPI.IN_PLACE, root)
                self.assertArray(whole, self.rows())
            else:
                received = np.zeros(self.size, "i")
                self.call("Scatter", None, received, root)
                self.assertArray(received, self.row(self.rank))

    def test_scatterv(self):
        counts = [self.size] * self.size
        if self.rank == 0:
            self.call("Scatterv", [self.rows(), counts], MPI.IN_PLACE, 0)
        else:
            received = np.zeros(self.size, "i")
            self.call("Scatterv", None, received, 0)
            self.assertArray(received, self.row(self.rank))

    def test_allgather(self):
        whole = np.zeros((self.size, self.size), "i")
        whole[self.rank] = self.row(self.rank)
        self.call("Allgather", MPI.IN_PLACE, whole)
        self.assertArray(whole, self.rows())

    def test_allgatherv(self):
        whole = np.zeros((self.size, self.size), "i")
        whole[self.rank] = self.row(self.rank)
        self.call("Allgatherv", MPI.IN_PLACE, [whole, [self.size] * self.size])
        self.assertArray(whole, self.rows())

    def test_alltoall(self):
        buffer = self.row(self.rank)
        self.call("Alltoall", MPI.IN_PLACE, buffer)
        self.assertArray(buffer, self.rows()[:, self.rank])

    def test_alltoallv(self):
        buffer, ones = self.row(self.rank), [1] * self.size
        self.call("Alltoallv", MPI.IN_PLACE, [buffer, ones, list(range(self.size)), MPI.INT])
        self.assertArray(buffer, self.rows()[:, self.rank])

    def test_alltoallw(self):
        buffer, ones = self.row(self.rank), [1] * self.size
        places = [4 * rank for rank in range(self.size)]
        self.call("Alltoallw", MPI.IN_PLACE, [buffer, (ones, places), [MPI.INT] * self.size])
        self.assertArray(buffer, self.rows()[:, self.rank])

    def test_reduce(self):
        for root in range(self.size):
            buffer = self.row(self.rank)
            if self.rank == root:
                self.call("Reduce", MPI.IN_PLACE, buffer, root=root)
                self.assertArray(buffer, self.rows().sum(0))
            else:
                self.call("Reduce", buffer, None, root=root)

    def test_allreduce(self):
        buffer = self.row(self.rank)
        self.call("Allreduce", MPI.IN_PLACE, buffer, op=MPI.MAX)
        self.assertArray(buffer, self.rows().max(0))

    def test_reduce_scatter_block(self):
        buffer = self.row(self.rank)
        self.call("Reduce_scatter_block", MPI.IN_PLACE, buffer)
        self.assertEqual(buffer[0], self.rows().sum(0)[self.rank])

    def test_reduce_scatter(self):
        buffer = self.row(self.rank)
        self.call("Reduce_scatter", MPI.IN_PLACE, buffer, [1] * self.size)
        self.assertEqual(buffer[0], self.rows().sum(0)[self.rank])

    def test_scan(self):
        buffer = self.row(self.rank)
        self.call("Scan", MPI.IN_PLACE, buffer)
        self.assertArray(buffer, self.rows()[:self.rank + 1].sum(0))

    def test_exscan(self):
        buffer = self.row(self.rank)
        self.call("Exscan", MPI.IN_PLACE, buffer)
        if self.rank > 0:
            self.assertArray(buffer, self.rows()[:self.rank].sum(0))


class InPlaceSelf(InPlace):
    make = staticmethod(self_)


class InPlaceNonblocking(InPlace):
    prefix = "I"


class InPlaceBackwards(InPlace):
    make = staticmethod(backwards)


class Overlap(CommCase):
    """Several nonblocking collectives at once, completed out of order."""

    make = staticmethod(duplicate)

    def test_many(self):
        sent = np.arange(4) + self.rank
        sums, gathered = np.zeros(4, int), np.zeros((self.size, 4), int)
        buffer = np.arange(4) if self.rank == 0 else np.zeros(4, int)
        requests = [self.comm.Iallreduce(sent, sums), self.comm.Ibcast(buffer),
                    self.comm.Iallgather(sent, gathered), self.comm.Ibarrier()]
        MPI.Request.Waitall(list(reversed(requests)))
        self.assertArray(sums, np.arange(4) * self.size + sum(range(self.size)))
        self.assertArray(buffer, np.arange(4))
        self.assertArray(gathered, [np.arange(4) + rank for rank in range(self.size)])

    def test_poll(self):
        sums = np.zeros(1, int)
        request = self.comm.Iallreduce(np.array([1]), sums)
        while not request.Test():
            pass
        self.assertEqual(sums[0], self.size)
        self.assertEqual(request, MPI.REQUEST_NULL)

    def test_alltoallw_types_live_until_completion(self):
        column = MPI.INT.Create_vector(2, 1, 2).Commit()
        sent = np.arange(4 * self.size, dtype="i")
        received = [np.zeros(4 * self.size, "i") for _ in range(8)]
        places, ones = [16 * rank for rank in range(self.size)], [1] * self.size
        requests = [self.comm.Ialltoallw([sent, (ones, places), [column] * self.size],
                                         [buffer, (ones, places), [column] * self.size])
                    for buffer in received]
        column.Free()
        MPI.Request.Waitall(requests)
        for buffer in received:
            for source in range(self.size):
                self.assertArray(buffer[4 * source:4 * source + 4:2],
                                 [4 * self.rank, 4 * self.rank + 2])


class CollectiveErrors(CommCase):
    make = staticmethod(duplicate)

    def setUp(self):
        super().setUp()
        self.comm.Set_errhandler(MPI.ERRORS_RETURN)

    def test_root(self):
        self.assertError(MPI.ERR_ROOT, self.comm.Bcast, np.zeros(1), self.size + 1)

    def test_operation(self):
        self.assertError(MPI.ERR_OP, self.comm.Allreduce, np.zeros(1), np.zeros(1), MPI.OP_NULL)

    def test_type(self):
        self.assertError(MPI.ERR_TYPE, self.comm.Bcast, [np.zeros(1), 1, MPI.DATATYPE_NULL])
