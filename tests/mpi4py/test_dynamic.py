# SPDX-License-Identifier: BSD-3-Clause
"""Processes spawned, ports, names and joined sockets."""
import os
import socket
import sys

from mpi4py import MPI

from support import Case, CommCase, duplicate, each

CHILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "child.py")


class Spawn(CommCase):
    make = staticmethod(duplicate)

    def spawn(self, what, number=1, comm=None, **options):
        return (comm or self.comm).Spawn(sys.executable, [CHILD, what, "x", "a b"], number,
                                         **options)

    def reports(self, children):
        if self.rank != 0:
            return []
        return [children.recv(source=rank, tag=10 + rank)
                for rank in range(children.Get_remote_size())]

    @each(1, 2)
    def test_report(self, number):
        children = self.spawn("report", number)
        self.assertIsInstance(children, MPI.Intercomm)
        self.assertEqual(children.Get_remote_size(), number)
        for report in self.reports(children):
            self.assertEqual((report["size"], report["remote"]), (number, self.size))
            self.assertEqual(report["arguments"], ["x", "a b"])
            self.assertEqual(report["library"], MPI.Get_library_version())
        children.Disconnect()
        self.assertEqual(children, MPI.COMM_NULL)

    def test_error_codes(self):
        codes = []
        children = self.spawn("nothing", 2, errcodes=codes)
        children.Disconnect()
        if self.rank == 0:
            self.assertEqual(codes, [MPI.SUCCESS] * 2)

    def test_root(self):
        children = self.spawn("nothing", 1, root=self.size - 1)
        self.assertEqual(children.Get_remote_size(), 1)
        children.Disconnect()

    def test_from_self(self):
        if self.rank == 0:
            children = self.spawn("report", 1, MPI.COMM_SELF)
            self.assertEqual(self.reports(children)[0]["remote"], 1)
            children.Disconnect()

    def test_merge(self):
        children = self.spawn("merge", 1)
        merged = children.Merge(False)
        self.assertEqual(merged.Get_size(), self.size + 1)
        self.assertEqual(merged.allreduce(1), self.size + 1)
        merged.Free()
        children.Disconnect()

    def test_reduce(self):
        children = self.spawn("reduce", 2)
        root = MPI.ROOT if self.rank == 0 else MPI.PROC_NULL
        total = children.reduce(None, MPI.SUM, root)
        if self.rank == 0:
            self.assertEqual(total, 3)
        children.Disconnect()

    def test_with_info(self):
        info = MPI.Info.Create()
        info.Set("wdir", "/")
        children = self.spawn("report", 1, info=info)
        info.Free()
        self.reports(children)
        children.Disconnect()

    def test_multiple(self):
        codes = []
        children = self.comm.Spawn_multiple(
            [sys.executable, sys.executable],
            [[CHILD, "report", "one"], [CHILD, "report", "two"]], [1, 1], errcodes=codes)
        self.assertEqual(children.Get_remote_size(), 2)
        for number, report in enumerate(self.reports(children)):
            self.assertEqual(report["arguments"], [["one"], ["two"]][number])
            self.assertEqual(report["appnum"], number)
        children.Disconnect()


class Ports(CommCase):
    make = staticmethod(duplicate)

    def test_open_and_close(self):
        port = MPI.Open_port()
        self.assertTrue(port)
        self.assertLess(len(port), MPI.MAX_PORT_NAME)
        MPI.Close_port(port)

    def test_ports_differ(self):
        ports = [MPI.Open_port() for _ in range(3)]
        self.assertEqual(len(set(ports)), 3)
        for port in ports:
            MPI.Close_port(port)

    def halves(self):
        if self.size < 2:
            self.skipTest("needs two ranks")
        return self.comm.Split(self.rank % 2, self.rank)

    def check(self, other):
        self.assertEqual(other.Get_remote_size(), self.size - other.Get_size())
        self.assertEqual(other.allreduce(1), other.Get_remote_size())
        other.Disconnect()

    def test_accept_and_connect(self):
        half, server = self.halves(), self.rank % 2 == 0
        port = MPI.Open_port() if self.rank == 0 else None
        port = self.comm.bcast(port)
        other = half.Accept(port) if server else half.Connect(port)
        self.check(other)
        if self.rank == 0:
            MPI.Close_port(port)
        half.Free()

    def test_published(self):
        service = f"mpi4py tests {os.path.basename(os.path.dirname(os.environ['MPI_TEST_DIR']))}"
        port = MPI.Open_port() if self.rank == 0 else None
        published = True
        if self.rank == 0:
            try:
                MPI.Publish_name(service, port)
            except MPI.Exception:
                published = False  # without a name server
        if not self.comm.bcast(published):
            if self.rank == 0:
                MPI.Close_port(port)
            self.skipTest("no name server for MPI_Publish_name")
        self.assertEqual(MPI.Lookup_name(service), self.comm.bcast(port))
        self.comm.Barrier()
        if self.rank == 0:
            MPI.Unpublish_name(service, port)
            MPI.Close_port(port)

    def test_lookup_unknown(self):
        if self.rank == 0:
            with self.assertRaises(MPI.Exception):
                MPI.Lookup_name("a service that nobody published")

    def test_join(self):
        if self.size < 2:
            self.skipTest("needs two ranks")
        if self.rank > 1:
            return
        if self.rank == 0:
            listener = socket.create_server(("127.0.0.1", 0))
            self.comm.send(listener.getsockname(), 1)
            connection, _ = listener.accept()
            listener.close()
        else:
            connection = socket.create_connection(self.comm.recv(source=0))
        joined = MPI.Comm.Join(connection.fileno())
        self.assertNotEqual(joined, MPI.COMM_NULL)
        self.assertEqual(joined.sendrecv(self.rank, 0, 0, None, 0, 0), 1 - self.rank)
        joined.Disconnect()
        connection.close()


class Parent(Case):
    def test_none(self):
        self.assertEqual(MPI.Comm.Get_parent(), MPI.COMM_NULL)
