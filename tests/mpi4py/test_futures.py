# SPDX-License-Identifier: BSD-3-Clause
"""Pools of workers: rank 0 is the client, the other ranks or spawned processes work."""
import os
import operator
import sys

from mpi4py.futures import MPICommExecutor, MPIPoolExecutor

from support import CommCase, duplicate


class CommExecutor(CommCase):
    make = staticmethod(duplicate)

    def test_map(self):
        with MPICommExecutor(self.comm, root=0) as executor:
            if executor is not None:
                self.assertEqual(list(executor.map(pow, range(20), [2] * 20)),
                                 [n * n for n in range(20)])
        self.comm.Barrier()

    def test_submit(self):
        with MPICommExecutor(self.comm, root=0) as executor:
            if executor is not None:
                futures = [executor.submit(operator.add, n, 1) for n in range(10)]
                self.assertEqual([f.result() for f in futures], list(range(1, 11)))

    def test_exception(self):
        with MPICommExecutor(self.comm, root=0) as executor:
            if executor is not None:
                future = executor.submit(operator.truediv, 1, 0)
                self.assertIsInstance(future.exception(), ZeroDivisionError)

    def test_starmap(self):
        with MPICommExecutor(self.comm, root=0) as executor:
            if executor is not None:
                self.assertEqual(list(executor.starmap(divmod, [(7, 2), (9, 4)])),
                                 [(3, 1), (2, 1)])


class PoolExecutor(CommCase):
    make = staticmethod(duplicate)

    def test_spawned_worker(self):
        if self.rank == 0:
            with MPIPoolExecutor(max_workers=1, python_exe=sys.executable) as executor:
                self.assertEqual(list(executor.map(abs, [-1, 2, -3])), [1, 2, 3])
                self.assertNotEqual(executor.submit(os.getpid).result(), os.getpid())
        self.comm.Barrier()
