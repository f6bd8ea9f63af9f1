# SPDX-License-Identifier: BSD-3-Clause
"""Process topologies and their neighbourhood collectives."""
import numpy as np
from mpi4py import MPI

from support import Case, CommCase, each


class Dims(Case):
    @each((6, 2, [3, 2]), (7, 1, [7]), (8, 3, [2, 2, 2]), (12, [0, 4], [3, 4]), (1, 3, [1, 1, 1]))
    def test_compute(self, nodes, dims, expected):
        self.assertEqual(MPI.Compute_dims(nodes, dims), expected)

    def test_fails(self):
        self.assertError((MPI.ERR_DIMS, MPI.ERR_ARG), MPI.Compute_dims, 7, [2, 0])


class TopologyCase(CommCase):
    """self.topology is what create() makes of the world."""

    def setUp(self):
        super().setUp()
        self.topology = self.create()

    def tearDown(self):
        self.topology.Free()
        super().tearDown()


class Neighbours:
    """Neighbourhood collectives, checked against the lists of in and out edges.

    Each rank sends 1000 * itself + the receiver, so repeated edges agree too.
    """

    prefix = ""

    def call(self, name, *arguments):
        request = getattr(self.topology, ("I" + name.lower()) if self.prefix else name)(*arguments)
        if request is not None:
            request.Wait()

    def setUp(self):
        super().setUp()
        self.sources, self.targets = self.topology.inoutedges
        self.me = self.topology.Get_rank()
        self.indegree, self.outdegree = len(self.sources), len(self.targets)

    def expected(self, width=1):
        values = [-1 if s == MPI.PROC_NULL else 1000 * s + self.me for s in self.sources]
        return np.repeat(values, width)

    def outgoing(self, width=1):
        return np.repeat(np.array([1000 * self.me + t for t in self.targets], int), width)

    def blank(self, width=1):
        return np.full(self.indegree * width, -1)

    def test_degrees(self):
        self.assertEqual(self.topology.degrees, (self.indegree, self.outdegree))
        self.assertEqual(self.topology.indegree, self.indegree)
        self.assertEqual(self.topology.outdegree, self.outdegree)
        self.assertEqual(self.topology.inedges, self.sources)
        self.assertEqual(self.topology.outedges, self.targets)

    @each("i", "d", "D")
    def test_allgather(self, code):
        received = np.full(self.indegree * 2, -1).astype(code)
        self.call("Neighbor_allgather", np.full(2, self.me).astype(code), received)
        values = [-1 if s == MPI.PROC_NULL else s for s in self.sources]
        self.assertArray(received, np.repeat(np.array(values, int), 2).astype(code))

    def test_allgatherv(self):
        received = self.blank(2)
        self.call("Neighbor_allgatherv", np.full(2, self.me),
                  [received, [2] * self.indegree, [2 * n for n in range(self.indegree)], MPI.LONG])
        values = [-1 if s == MPI.PROC_NULL else s for s in self.sources]
        self.assertArray(received, np.repeat(np.array(values, int), 2))

    def test_alltoall(self):
        received = self.blank()
        self.call("Neighbor_alltoall", self.outgoing(), received)
        self.assertArray(received, self.expected())

    def test_alltoallv(self):
        received = self.blank(3)
        self.call("Neighbor_alltoallv", [self.outgoing(3), [3] * self.outdegree],
                  [received, [3] * self.indegree])
        self.assertArray(received, self.expected(3))

    def test_alltoallw(self):
        received = self.blank()
        self.call("Neighbor_alltoallw",
                  [self.outgoing(), [1] * self.outdegree,
                   [8 * n for n in range(self.outdegree)], [MPI.LONG] * self.outdegree],
                  [received, [1] * self.indegree,
                   [8 * n for n in range(self.indegree)], [MPI.LONG] * self.indegree])
        self.assertArray(received, self.expected())

    def test_allgather_objects(self):
        expected = [None if s == MPI.PROC_NULL else {"rank": s} for s in self.sources]
        self.assertEqual(self.topology.neighbor_allgather({"rank": self.me}), expected)

    def test_alltoall_objects(self):
        got = self.topology.neighbor_alltoall([(self.me, t) for t in self.targets])
        expected = [None if s == MPI.PROC_NULL else (s, self.me) for s in self.sources]
        self.assertEqual(got, expected)


class Cart(TopologyCase):
    periods, dimensions = [True, False], 2

    def create(self):
        self.dims = MPI.Compute_dims(self.size, self.dimensions)
        return self.comm.Create_cart(self.dims, self.periods)

    def test_kind(self):
        self.assertIsInstance(self.topology, MPI.Cartcomm)
        self.assertEqual(self.topology.Get_topology(), MPI.CART)
        self.assertEqual(self.topology.topology, MPI.CART)
        self.assertTrue(self.topology.is_topo)

    def test_topo(self):
        dims, periods, coords = self.topology.Get_topo()
        self.assertEqual((dims, [bool(p) for p in periods]), (self.dims, self.periods))
        self.assertEqual(coords, self.topology.Get_coords(self.topology.Get_rank()))
        self.assertEqual((self.topology.dims, self.topology.coords), (dims, coords))
        self.assertEqual(self.topology.topo, (dims, periods, coords))
        self.assertEqual(self.topology.periods, periods)

    def test_dim(self):
        self.assertEqual(self.topology.Get_dim(), self.dimensions)
        self.assertEqual((self.topology.dim, self.topology.ndim), (self.dimensions,) * 2)

    def test_ranks_and_coordinates(self):
        for rank in range(self.topology.Get_size()):
            coords = self.topology.Get_coords(rank)
            self.assertEqual(self.topology.Get_cart_rank(coords), rank)

    @each(-2, -1, 1, 2)
    def test_shift(self, distance):
        coords = self.topology.coords
        for direction in range(self.dimensions):
            source, target = self.topology.Shift(direction, distance)
            for rank, sign in ((source, -1), (target, 1)):
                moved = list(coords)
                moved[direction] += sign * distance
                inside = 0 <= moved[direction] < self.dims[direction]
                if not inside and not self.periods[direction]:
                    self.assertEqual(rank, MPI.PROC_NULL)
                else:
                    moved[direction] %= self.dims[direction]
                    self.assertEqual(rank, self.topology.Get_cart_rank(moved))

    def test_sub(self):
        for kept in range(self.dimensions):
            part = self.topology.Sub([n == kept for n in range(self.dimensions)])
            self.assertEqual(part.Get_size(), self.dims[kept])
            self.assertEqual(part.Get_coords(part.Get_rank()), [self.topology.coords[kept]])
            part.Free()

    def test_dup(self):
        copy = self.topology.Dup()
        self.assertIsInstance(copy, MPI.Cartcomm)
        self.assertEqual(copy.Get_topo(), self.topology.Get_topo())
        copy.Free()

    def test_map(self):
        rank = self.comm.Cart_map(self.dims, self.periods)
        self.assertIn(rank, range(self.size))

    def test_ring_over_proc_null(self):
        source, target = self.topology.Shift(self.dimensions - 1, 1)
        received = np.array([-1])
        self.topology.Sendrecv(np.array([self.topology.rank]), target, 0, received, source, 0)
        self.assertEqual(received[0], -1 if source == MPI.PROC_NULL else source)

    def test_bad_rank(self):
        with self.assertRaises(MPI.Exception):
            self.topology.Get_coords(self.size + 1)

    def test_bad_coordinates(self):
        coords = [0] * self.dimensions
        for direction, periodic in enumerate(self.periods):
            if not periodic:
                coords[direction] = 1000
                with self.assertRaises(MPI.Exception):
                    self.topology.Get_cart_rank(coords)


class CartLine(Cart):
    periods, dimensions = [False], 1


class CartRing(Cart):
    periods, dimensions = [True], 1


class CartCube(Cart):
    periods, dimensions = [False, True, False], 3


class CartNeighbours(Neighbours, TopologyCase):
    """Lines with ends; rings of one or two ranks have repeated edges."""

    def create(self):
        return self.comm.Create_cart([self.size], [False])


class CartNeighboursPlane(Neighbours, TopologyCase):
    def create(self):
        return self.comm.Create_cart(MPI.Compute_dims(self.size, 2), [False, False])


class CartNeighboursNonblocking(CartNeighbours):
    prefix = "I"


class CartLeftOut(CommCase):
    def test_ranks_left_out(self):
        cart = self.comm.Create_cart([1], [False])
        self.assertEqual(cart == MPI.COMM_NULL, self.rank != 0)
        if cart:
            cart.Free()

    def test_no_dimensions(self):
        cart = self.comm.Create_cart([])
        self.assertEqual(cart == MPI.COMM_NULL, self.rank != 0)
        if cart:
            self.assertEqual(cart.Get_dim(), 0)
            cart.Free()

    def test_too_large(self):
        with self.assertRaises(MPI.Exception):
            self.comm.Create_cart([self.size + 1])


class Graph(Neighbours, TopologyCase):
    """Every rank is joined to its successor and its predecessor, once each."""

    def create(self):
        self.lists = [sorted({(r + 1) % self.size, (r - 1) % self.size}) for r in range(self.size)]
        self.index = list(np.cumsum([len(part) for part in self.lists]))
        self.edges = [e for part in self.lists for e in part]
        return self.comm.Create_graph([int(i) for i in self.index], self.edges)

    def test_kind(self):
        self.assertIsInstance(self.topology, MPI.Graphcomm)
        self.assertEqual(self.topology.Get_topology(), MPI.GRAPH)

    def test_dims(self):
        self.assertEqual(self.topology.Get_dims(), (self.size, len(self.edges)))
        self.assertEqual(self.topology.dims, (self.size, len(self.edges)))
        self.assertEqual((self.topology.nnodes, self.topology.nedges),
                         (self.size, len(self.edges)))

    def test_topo(self):
        self.assertEqual(self.topology.Get_topo(), ([int(i) for i in self.index], self.edges))
        self.assertEqual(self.topology.index, self.index)
        self.assertEqual(self.topology.edges, self.edges)

    def test_neighbors(self):
        for rank in range(self.size):
            self.assertEqual(self.topology.Get_neighbors(rank), self.lists[rank])
            self.assertEqual(self.topology.Get_neighbors_count(rank), len(self.lists[rank]))
        self.assertEqual(self.topology.neighbors, self.lists[self.me])
        self.assertEqual(self.topology.nneighbors, len(self.lists[self.me]))

    def test_dup(self):
        copy = self.topology.Dup()
        self.assertIsInstance(copy, MPI.Graphcomm)
        self.assertEqual(copy.Get_topo(), self.topology.Get_topo())
        copy.Free()

    def test_map(self):
        rank = self.comm.Graph_map([int(i) for i in self.index], self.edges)
        self.assertIn(rank, range(self.size))


class GraphNonblocking(Graph):
    prefix = "I"


class DistGraphAdjacent(Neighbours, TopologyCase):
    """A directed ring, plus an edge from everybody to rank 0."""

    weighted = False

    def edges(self):
        sources, targets = {self.left}, {self.right}
        targets.add(0)
        if self.rank == 0:
            sources |= set(range(self.size))
        return sorted(sources), sorted(targets)

    def create(self):
        sources, targets = self.edges()
        weights = ([s + 1 for s in sources], [self.rank + 1] * len(targets))
        if not self.weighted:
            return self.comm.Create_dist_graph_adjacent(sources, targets)
        return self.comm.Create_dist_graph_adjacent(sources, targets, *weights)

    def test_kind(self):
        self.assertIsInstance(self.topology, MPI.Distgraphcomm)
        self.assertEqual(self.topology.Get_topology(), MPI.DIST_GRAPH)

    def test_count(self):
        sources, targets = self.edges()
        self.assertEqual(self.topology.Get_dist_neighbors_count(),
                         (len(sources), len(targets), self.weighted))

    def test_neighbors(self):
        sources, targets, weights = self.topology.Get_dist_neighbors()
        self.assertEqual((sorted(sources), sorted(targets)), self.edges())
        if self.weighted:
            self.assertEqual(weights, ([s + 1 for s in sources],
                                       [self.rank + 1] * len(targets)))
        else:
            self.assertIsNone(weights)

    def test_dup(self):
        copy = self.topology.Dup()
        self.assertIsInstance(copy, MPI.Distgraphcomm)
        self.assertEqual(copy.Get_dist_neighbors(), self.topology.Get_dist_neighbors())
        copy.Free()


class DistGraphAdjacentWeighted(DistGraphAdjacent):
    weighted = True


class DistGraphNonblocking(DistGraphAdjacent):
    prefix = "I"


class DistGraph(DistGraphAdjacent):
    """The same graph, each rank giving its outgoing edges."""

    def create(self):
        targets = self.edges()[1]
        weights = [self.rank + 1] * len(targets) if self.weighted else None
        return self.comm.Create_dist_graph([self.rank], [len(targets)], targets, weights)


class DistGraphWeighted(DistGraph):
    weighted = True


class DistGraphSpecial(CommCase):
    def test_no_edges(self):
        graph = self.comm.Create_dist_graph_adjacent([], [])
        self.assertEqual(graph.Get_dist_neighbors()[:2], ([], []))
        self.assertEqual(graph.Get_dist_neighbors_count()[:2], (0, 0))
        graph.Free()

    def test_weights_empty(self):
        graph = self.comm.Create_dist_graph_adjacent([], [], MPI.WEIGHTS_EMPTY, MPI.WEIGHTS_EMPTY)
        self.assertTrue(graph.Get_dist_neighbors_count()[2])
        graph.Free()

    def test_unweighted(self):
        graph = self.comm.Create_dist_graph_adjacent(
            [self.left], [self.right], MPI.UNWEIGHTED, MPI.UNWEIGHTED)
        self.assertFalse(graph.Get_dist_neighbors_count()[2])
        graph.Free()

    def test_one_rank_gives_all(self):
        if self.rank == 0:
            sources = list(range(self.size))
            targets = [(r + 1) % self.size for r in sources]
            graph = self.comm.Create_dist_graph(sources, [1] * self.size, targets)
        else:
            graph = self.comm.Create_dist_graph([], [], [])
        self.assertEqual(graph.Get_dist_neighbors()[:2], ([self.left], [self.right]))
        graph.Free()
